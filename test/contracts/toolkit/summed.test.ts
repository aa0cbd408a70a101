import { expect, test } from 'vitest'
import { controlFailed, failed, notObservable, PASSED, unreachable } from '../../../contracts/finding.ts'
import { passed, summed } from '../../../contracts/toolkit/summed.ts'

const wrong = failed('one effect', 'no effect')
const gone = unreachable('it is down')
const spoilt = controlFailed('it was refused')
const blind = notObservable('it has no URL')

test('summed() passes what passes, with what was not seen, each once', () => {
  expect(summed([undefined, PASSED, passed('the amount'), passed('the amount')], 'npp-payin')).toEqual({
    kind: 'passed',
    unseen: 'npp-payin; the amount',
  })
})

test('summed() takes a receiver that is gone for more than a failure', () => {
  expect(summed([wrong, gone])).toEqual(gone)
})

test('summed() counts the failures', () => {
  expect(summed([undefined, wrong, spoilt, wrong])).toMatchObject({
    kind: 'failed',
    actual: 'no effect (the first of 2 failures in 4 tries)',
  })
})

test('summed() takes a spoilt control for more than a part that was not seen', () => {
  expect(summed([blind, spoilt])).toEqual(spoilt)
})

test('summed() passes what was seen and tells of the rest', () => {
  expect(summed([blind, undefined])).toEqual({ kind: 'passed', unseen: 'it has no URL' })
})

test('summed() observes nothing where nothing could be seen', () => {
  expect([summed([blind, blind]), summed([], 'Left out: npp-payin')]).toEqual([
    blind,
    notObservable('Left out: npp-payin'),
  ])
})
