import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogue } from '../../../contracts/catalogue.ts'
import { failedChecks } from '../../../contracts/probes/failed-checks.ts'
import type { Verdict } from '../../../contracts/run/run-result.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const [first, second, third] = catalogue

test('failedChecks() lists the failed checks of the last run and earlier failures without a newer verdict', () => {
  const data = join(temporaryFolder(), 'data')
  const checks = failedChecks(data)
  const note = (...verdicts: readonly Verdict[]) =>
    checks.note(
      verdicts.flatMap((verdict, place) => (catalogue[place] ? { check: catalogue[place], verdict } : [])),
    )

  const before = checks.read()
  note('failed', 'failed', 'failed')
  note('passed', 'inconclusive')

  expect([before, checks.read()]).toEqual([[], [second?.id, third?.id]])
  note('failed')
  expect(failedChecks(data).read()).toEqual([second?.id, third?.id, first?.id])
})
