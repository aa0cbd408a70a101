import { expect, test } from 'vitest'
import { compareBooks, createBooks } from '../../../contracts/load/books.ts'
import { ProbeError } from '../../../contracts/toolkit/ports.ts'
import { createVirtualTime } from './virtual-time.ts'

const PAID = { effects: 1, amount: 1_250, currency: 'AUD', users: ['ada'] }

function booksOfPayments() {
  const books = createBooks()
  for (let id = 0; id < 1_000; id++) {
    books.note({ type: 'transactions', id: String(id), booking: PAID }, true)
    books.note({ type: 'items', id: String(id), booking: undefined }, true)
  }
  return books
}

type Effects = (type: string, id: number, now: number) => number

interface Wishes {
  readonly most?: number
  readonly more?: object
}

async function compare(
  effects: Effects,
  books = booksOfPayments(),
  { most = 10_000, more = {} }: Wishes = {},
) {
  const time = createVirtualTime()
  const comparison = await time.run(
    compareBooks(books, most, {
      ...time,
      probe: async (type, id) => ({
        effects: effects(type, Number(id), time.elapsed()),
        state: null,
        ...more,
      }),
      settleMs: 5_000,
      windowMs: 1_000,
      mask: (text) => text,
    }),
  )
  const differences = comparison.kind === 'compared' ? comparison.differences : []
  return { comparison, differences, tookMs: time.elapsed() }
}

const careful: Effects = (type) => (type === 'transactions' ? 1 : 0)

test('compareBooks() finds no differences when the platform acts once on each paid object', async () => {
  const { comparison } = await compare(careful)

  expect(comparison).toEqual({ kind: 'compared', objects: 2_000, compared: 2_000, differences: [] })
})

test('compareBooks() names repeated releases and effects of unpaid objects', async () => {
  const { differences } = await compare((type, id, now) => careful(type, id, now) + (id === 5 ? 1 : 0))

  expect(
    differences.map(({ entry, effects, difference }) => [entry.type, effects, difference.symptom]),
  ).toEqual([
    ['transactions', 2, 'repeated-effect'],
    ['items', 1, 'undue-effect'],
  ])
})

test('compareBooks() waits while the platform makes progress', async () => {
  // Payments whose effects appear slowly, one per second.
  const slow = createBooks()
  for (let id = 0; id < 60; id++) slow.note({ type: 'transactions', id: String(id), booking: PAID }, true)
  const late = await compare((_, id, now) => (now >= id * 1_000 ? 1 : 0), slow)
  expect(late.comparison).toMatchObject({ kind: 'compared', differences: [] })

  const stuck = await compare((_, id) => (id < 30 ? 1 : 0), slow)
  expect(stuck.tookMs).toBeLessThan(7_000)
  expect(stuck.comparison).toMatchObject({ differences: { length: 30 } })
})

test('compareBooks() detects a surplus effect during the observation window', async () => {
  const { comparison } = await compare(
    (type, id, now) => careful(type, id, now) + (id === 3 && now > 500 ? 1 : 0),
  )

  expect(comparison).toMatchObject({ differences: { length: 2 } })
})

test('compareBooks() accepts zero effects or one effect when the receiver did not accept the notification of the object', async () => {
  const books = createBooks()
  for (const id of ['0', '1', '2']) books.note({ type: 'transactions', id, booking: PAID }, false)

  const { comparison } = await compare((_, id) => id, books)

  expect(comparison).toMatchObject({ differences: [{ entry: { id: '2' }, effects: 2 }] })
})

test('compareBooks() reports no differences when the effects cannot be read', async () => {
  const time = createVirtualTime()
  const ports = { ...time, settleMs: 5, windowMs: 5, mask: (text: string) => text.replace('secret', '•') }
  const probe = () => Promise.reject(new ProbeError('Cannot read effects.http at secret'))

  expect(await time.run(compareBooks(booksOfPayments(), 10, { ...ports, probe }))).toEqual({
    kind: 'unread',
    why: 'Cannot read effects.http at •',
  })
  expect(await time.run(compareBooks(booksOfPayments(), 10, { ...ports, probe: undefined }))).toEqual({
    kind: 'not-observable',
  })
})

const about = (id: string, isActedOn = false) =>
  ({ type: 'transactions', id, booking: isActedOn ? PAID : undefined }) as const

test('createBooks() expects one effect for an object after its success notification, in any notification order', () => {
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

test('a sample of the load books covers the entire load, and half of its objects have an expected effect', () => {
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
