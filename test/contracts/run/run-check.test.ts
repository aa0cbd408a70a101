import { expect, test } from 'vitest'
import { failed, withSymptom } from '../../../contracts/finding.ts'
import { explainFailure } from '../../../contracts/run/run-check.ts'
import { checkNamed } from '../support/verdicts.ts'

const failure = failed('one effect', 'another number', {})

test.each(['recovery/kill-at-work', 'recovery/kill-after-answer'])(
  'the check %s explains a lost effect and a repeated effect differently',
  (id) => {
    const check = checkNamed(id)
    const [lost, repeated] = [0, 3].map((seen) => explainFailure(check, withSymptom(failure, seen, 1)))

    expect(lost).toEqual(check)
    expect([repeated?.meaning, repeated?.remedy]).toEqual([
      expect.stringContaining('acts again'),
      expect.stringContaining('unique key'),
    ])
  },
)
