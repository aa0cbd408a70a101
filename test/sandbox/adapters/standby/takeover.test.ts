// @module-tag postgresql
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { startPostgres, type PostgresServer } from '../../../support/postgres.ts'
import { openCandidate } from '../../../support/standby-candidate.ts'

let server: PostgresServer
let schemas = 0
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const nextUrl = () => server.url({ schema: `s${++schemas}` })
const clockAt = (at: number): Entry => ({ head: { kind: 'clock', at }, body: '' })

test('a standby takes over with every change that was acknowledged when the process that served is gone', async () => {
  const url = nextUrl()
  const first = await openCandidate(url, { name: 'a' })
  const second = await openCandidate(url, { name: 'b' })
  const { store } = await first.serve()
  for (let at = 1; at <= 20; at++) await store.commit([clockAt(at)])

  const taking = second.serve()
  await first.close()
  const taken = await taking

  expect(taken.store.length).toBe(20)
  expect(taken.held.lease.epoch).toBe(2)
  await second.close()
})

test('a process that has lost the lease acknowledges nothing more', async () => {
  const url = nextUrl()
  const first = await openCandidate(url, { name: 'a' })
  const { store, held } = await first.serve()
  await store.commit([clockAt(1)])
  await server.query(`UPDATE s${schemas}.lease SET epoch = epoch + 1, holder = 'another'`)

  await expect(store.commit([clockAt(2)])).rejects.toThrow('another process has taken the lease')
  expect(held.term.problem?.kind).toBe('away')
  await first.close()
})
