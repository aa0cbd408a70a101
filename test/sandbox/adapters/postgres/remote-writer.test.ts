import { queryObjects } from 'node:v8'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../../sandbox/adapters/postgres/database.ts'
import type { KeptLease } from '../../../../sandbox/adapters/postgres/lease-keeper.ts'
import { acquireLease } from '../../../../sandbox/adapters/postgres/lease.ts'
import { parsePostgresUrl } from '../../../../sandbox/adapters/postgres/place.ts'
import type { Query } from '../../../../sandbox/adapters/postgres/query.ts'
import { createRemoteWriter } from '../../../../sandbox/adapters/postgres/remote-writer.ts'
import { createTables } from '../../../../sandbox/adapters/postgres/tables.ts'
import { kindOfRefusal } from '../../../support/postgres-tests.ts'

const ROW = { head_sum: 0, body_sum: 0, head: '{}', body: '' }
const WORLD = { number: 1, name: 'w', epoch: 1, generation: 1, last_generation: 1, length: 0, left_ms: 0 }

/** Writes a world of a database that carries out every statement, unless `query` says otherwise; `lose`: another seems to have it. */
async function openWriter({ durationMs = 600_000, query }: { durationMs?: number; query?: Query } = {}) {
  const given = { query: query ?? (() => Promise.resolve({ rows: [WORLD], count: 1 })) }
  const database: Database = {
    place: parsePostgresUrl('postgres://localhost/none'),
    tables: createTables('none'),
    query: (sql, values) => given.query(sql, values),
    close: () => Promise.resolve(),
  }
  let kept: KeptLease | undefined
  const keeper = { add: (lease: KeptLease) => void (kept = lease), remove: () => {}, close: () => {} }
  const { lease } = await acquireLease(database, 'w', { node: 'one', durationMs, keeper })
  if (!lease) throw new Error('The world was not taken')
  const writer = createRemoteWriter(database, lease)
  onTestFinished(() => writer.close())
  return { writer, lose: () => kept?.lose() }
}

test('a writer keeps nothing of what it has appended', async () => {
  const { writer } = await openWriter()
  const append = async (count: number) => {
    for (let done = 0; done < count; done++) await writer.append([ROW])
  }
  await append(100)
  const before = queryObjects(Promise, { format: 'count' })

  await append(1_000)

  expect(queryObjects(Promise, { format: 'count' }) - before).toBeLessThan(500)
})

test('a writer tells who waits for a statement that the lease has run out, whether or not it is answered', async () => {
  const never = Promise.withResolvers<never>()
  const query: Query = (sql) =>
    sql.includes('holder IS NULL') ? Promise.resolve({ rows: [WORLD], count: 1 }) : never.promise
  const { writer } = await openWriter({ durationMs: 50, query })

  const refused = await kindOfRefusal(() => writer.append([ROW]))
  never.reject(new Error('it was cut'))

  expect([refused, writer.problem?.kind]).toEqual(['away', 'away'])
})

test('a writer that has taken its world again twice at once, the later one first, has it still', async () => {
  const row: Record<string, unknown> = { ...WORLD }
  const first = Promise.withResolvers<void>()
  let retakes = 0
  const rows = (isThere: boolean) => ({ rows: isThere ? [{ ...row }] : [], count: isThere ? 1 : 0 })
  const query: Query = async (sql, values = []) => {
    if (sql.includes('INSERT')) return rows(false)
    if (sql.includes('holder IS NULL')) row['holder'] = values[1]
    if (!sql.includes('epoch <')) return rows(true)
    if (++retakes === 1) await first.promise
    const isEarlier = Number(row['epoch']) < Number(values[2])
    if (isEarlier) row['epoch'] = values[2]
    return rows(isEarlier)
  }
  const { writer, lose } = await openWriter({ query })
  const told: (string | undefined)[] = []
  writer.onProblem((problem) => told.push(problem?.kind))

  const refused = kindOfRefusal(() => writer.append([ROW]))
  await expect.poll(() => retakes).toBe(1)
  lose()
  await expect.poll(() => told).toEqual([undefined])
  first.resolve()

  expect([await refused, writer.problem?.kind]).toEqual(['away', 'away'])
})
