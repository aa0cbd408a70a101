import { expect, test } from 'vitest'
import type { Exchange } from '../../../contracts/finding.ts'
import { createSilence } from '../../../contracts/run/silence.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'

const exchange = (type: NotifiedType, more: Partial<Exchange>): Exchange => ({
  label: type,
  about: { type, id: 'one' },
  isUsual: true,
  request: { method: 'POST', url: '', headers: [], body: '' },
  status: null,
  reason: null,
  message: '',
  flags: [],
  tookMs: 0,
  response: null,
  ...more,
})

const late = (type: NotifiedType = 'items') => exchange(type, { reason: 'header_timeout' })
const accepted = (type: NotifiedType = 'items') => exchange(type, { status: 204 })

function silenceAfter(exchanges: readonly Exchange[]) {
  const silence = createSilence()
  for (const each of exchanges) silence.note(each)
  return silence
}

test('createSilence() ends the run when none of eight usual notifications is answered in time', () => {
  const seven = Array.from({ length: 7 }, () => late())

  expect(silenceAfter(seven).reason()).toBeUndefined()
  expect(silenceAfter([...seven, late('users')]).reason()).toContain('none of 8 usual notifications')
})

test('createSilence() ends the checks of one type when only that type is never answered in time', () => {
  const silence = silenceAfter([accepted('users'), ...Array.from({ length: 30 }, () => late())])

  expect([silence.reason(), silence.reason('users')]).toEqual([undefined, undefined])
  expect(silence.reason('items')).toContain('none of 8 usual notifications of items')
})

test('createSilence() ends the run when a quarter of many usual notifications is not answered in time', () => {
  const many = Array.from({ length: 16 }, () => late())
  const answered = (count: number) => Array.from({ length: count }, () => accepted())

  expect(silenceAfter([...answered(49), ...many]).reason()).toBeUndefined()
  expect(silenceAfter([...answered(48), ...many]).reason()).toContain('16 of 64 usual notifications')
})

test('createSilence() takes no time-out of an unusual request for silence', () => {
  const { isUsual: _, ...unusual } = late()
  const silence = silenceAfter(Array.from({ length: 20 }, () => unusual))

  expect([silence.reason('items'), silence.first()]).toEqual([undefined, []])
})
