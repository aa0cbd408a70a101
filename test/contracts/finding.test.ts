import { expect, test } from 'vitest'
import { combineFindings, failed, unreachable } from '../../contracts/finding.ts'

const wrong = failed('one effect', 'no effect', {})
const gone = unreachable('it is down')

test('combineFindings() prefers an unreachable receiver to a failed finding', () => {
  expect(combineFindings([wrong, gone])).toEqual(gone)
})
