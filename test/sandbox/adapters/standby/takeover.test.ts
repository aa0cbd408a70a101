// @module-tag postgresql
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { startPostgres, type PostgresServer } from '../../../support/postgres.ts'
import { openCandidate, takeOver } from '../../../support/standby-candidate.ts'

let server: PostgresServer
let schemas = 0
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const nextUrl = () => server.url({ schema: `s${++schemas}` })
const clockAt = (at: number): Entry => ({ head: { kind: 'clock', at }, body: '' })

test('a standby takes over after the active process stops, and has every acknowledged change', async () => {
  expect(await takeOver(nextUrl())).toEqual({ entries: 20, epoch: 2 })
})

test('a process that does not hold the lease acknowledges no change', async () => {
  const url = nextUrl()
  const first = await openCandidate(url, { name: 'a' })
  const { store, held } = await first.serve()
  await store.commit([clockAt(1)])
  await server.query(`UPDATE s${schemas}.lease SET epoch = epoch + 1, holder = 'another'`)

  await expect(store.commit([clockAt(2)])).rejects.toThrow('another process has taken the lease')
  expect(held.term.problem?.kind).toBe('away')
  await first.close()
})

test.each([
  ['the address of a live process', { name: 'm', address: 'a:1', isLoopback: false }],
  [
    'a loopback address while another process runs on another machine',
    { name: 'n', address: 'localhost:1', isLoopback: true },
  ],
])('a standby is rejected when its address is invalid: %s', async (_, place) => {
  const url = nextUrl()
  const first = await openCandidate(url, { name: 'a' })
  await first.serve()
  const second = await openCandidate(url, { name: 'b', member: { owner: 'b', ...place } })

  await expect(second.serve()).rejects.toThrow('Give each process a different address that is not loopback')
  await first.close()
  await second.close()
})

test('a process takes over from a newer copy of the store after earlier changesets were removed', async () => {
  const url = nextUrl()
  const first = await openCandidate(url, { name: 'a' })
  const { store } = await first.serve()
  const body = 'x'.repeat(4_000_000)
  const count = 18
  for (let at = 1; at <= count; at++) await store.commit([{ ...clockAt(at), body }])
  const query = `SELECT copy_position::int AS copied, (SELECT count(*)::int FROM s${schemas}.changesets) AS kept FROM s${schemas}.lease`
  const [left] = await expect
    .poll(() => server.query(query), { timeout: 20_000 })
    .not.toMatchObject([{ copied: 0 }])
    .then(() => server.query(query))
  await store.commit([clockAt(count + 1)])
  await first.close()
  const second = await openCandidate(url, { name: 'b' })
  const taken = await second.serve()

  expect(Number(left?.['copied'])).toBeGreaterThan(10)
  expect(Number(left?.['kept'])).toBeLessThan(count - 10)
  expect(taken.store.length).toBe(count + 1)
  expect([...taken.store.entries()].at(-2)?.body).toBe(body)
  expect(first.errors).toEqual([])
  await second.close()
})
