import { expect, test } from 'vitest'
import { passedExcept } from '../../contracts/finding.ts'
import {
  PASSED,
  combineFindings,
  controlFailed,
  failed,
  notObservable,
  unreachable,
} from '../../contracts/finding.ts'

const wrong = failed('one effect', 'no effect', {})
const gone = unreachable('it is down')
const spoilt = controlFailed('it was refused', {})
const blind = notObservable('it has no URL')

test('combineFindings() returns passed and lists each unobserved part once', () => {
  expect(
    combineFindings([undefined, PASSED, passedExcept('the amount'), passedExcept('the amount')], 'npp-payin'),
  ).toEqual({
    kind: 'passed',
    unobserved: 'npp-payin; the amount',
  })
})

test('combineFindings() returns an unreachable receiver rather than a failed finding', () => {
  expect(combineFindings([wrong, gone])).toEqual(gone)
})

test('combineFindings() counts the failed findings', () => {
  expect(combineFindings([undefined, wrong, spoilt, wrong])).toMatchObject({
    kind: 'failed',
    actual: 'no effect (the first of 2 failures in 4 tries)',
  })
})

test('combineFindings() returns passed with the list of unobserved parts when the observed parts passed', () => {
  expect(combineFindings([blind, undefined])).toEqual({ kind: 'passed', unobserved: 'it has no URL' })
})

test('combineFindings() returns not observable when every part is unobserved', () => {
  expect([combineFindings([blind, blind]), combineFindings([], 'Not played: npp-payin')]).toEqual([
    blind,
    notObservable('Not played: npp-payin'),
  ])
})
