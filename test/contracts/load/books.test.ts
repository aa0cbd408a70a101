import { expect, test } from 'vitest'
import { createBooks } from '../../../contracts/load/books.ts'

const PAID = { effects: 1, amount: 1_250, currency: 'AUD' }

const about = (id: string, isActedOn = false) =>
  ({ type: 'transactions', id, booking: isActedOn ? PAID : undefined }) as const

test('the books expect one effect for an object after its success notification, in any notification order', () => {
  const books = createBooks()
  books.note(about('1'), true)
  books.note(about('1', true), true)
  books.note(about('1'), true)
  books.note(about('2'), true)

  expect(books.sample(10)).toEqual([
    { type: 'transactions', id: '1', expected: PAID, isKnown: true },
    { type: 'transactions', id: '2', expected: { effects: 0 }, isKnown: true },
  ])
})

test('the books mark the expected effect as unknown when the receiver did not accept the notification', () => {
  const books = createBooks()
  books.note(about('1', true), false)
  books.note(about('1'), true)

  expect(books.sample(10)).toMatchObject([{ expected: PAID, isKnown: false }])
})

test('a sample of the books covers the entire load, and half of its objects have an expected effect', () => {
  const books = createBooks()
  for (let id = 0; id < 1_000; id++) books.note(about(String(id), id % 10 === 0), true)

  const sample = books.sample(100)

  expect(books.size).toBe(1_000)
  expect(sample).toHaveLength(100)
  const actedOn = sample.filter(({ expected }) => expected.effects === 1).map(({ id }) => Number(id))
  expect(actedOn).toHaveLength(50)
  for (const from of [0, 250, 500, 750]) {
    expect(sample.filter(({ id }) => Number(id) >= from && Number(id) < from + 250).length).toBeGreaterThan(
      20,
    )
  }
})

test('a sample of the books contains every object once when the limit is not exceeded', () => {
  const books = createBooks()
  for (let id = 0; id < 30; id++) books.note(about(String(id), id < 3), true)

  expect(new Set(books.sample(30).map(({ id }) => id)).size).toBe(30)
  expect(books.sample(Number.MAX_SAFE_INTEGER)).toHaveLength(30)
  expect(books.sample(10)).toHaveLength(10)
})
