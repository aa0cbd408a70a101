import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { forged, type Forged } from '../../../support/forged-snapshot.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

const VALUES: readonly unknown[] = [
  null,
  '',
  'x',
  '__proto__',
  '\u0000',
  '\u202e',
  -1,
  0,
  1.5,
  1e300,
  253_402_300_800_000,
  true,
  [],
  {},
  { a: 1 },
  'https://169.254.169.254/',
]

type Key = string | number

/** Where a value stands in JSON: the keys that lead to it, of each value in it. */
function pathsIn(value: unknown, path: readonly Key[] = []): readonly (readonly Key[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries: readonly (readonly [Key, unknown])[] = Array.isArray(value)
    ? value.map((child, index) => [index, child] as const)
    : Object.entries(value)
  return [path, ...entries.flatMap(([key, child]) => pathsIn(child, [...path, key]))]
}

/** A copy with the value at the path replaced, or left out. */
function altered(value: unknown, path: readonly Key[], instead: { readonly value?: unknown }): unknown {
  const [key, ...rest] = path
  if (key === undefined) return instead.value
  const isLeftOut = rest.length === 0 && !('value' in instead)
  if (Array.isArray(value)) {
    const next = (child: unknown, index: number) =>
      index !== key ? [child] : isLeftOut ? [] : [altered(child, rest, instead)]
    return value.flatMap(next)
  }
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, child]) =>
      name !== key ? [[name, child]] : isLeftOut ? [] : [[name, altered(child, rest, instead)]],
    ),
  )
}

const LISTS = [
  'jobs',
  'registrations',
  'faults',
  'payments',
  'requests',
  'readings',
  'clock',
  'timeline',
  'snapshot',
]
const SERVICE_LISTS = ['/webhooks', '/callbacks']

async function everythingIsReadable(sandbox: ReturnType<typeof testSandbox>): Promise<readonly string[]> {
  const unread: string[] = []
  for (const list of LISTS) {
    const { status, body } = await sandbox.control('GET', `/${list}`)
    if (status !== 200) unread.push(`${list}: ${status} ${JSON.stringify(body)}`)
  }
  for (const path of SERVICE_LISTS) {
    const { status, body } = await sandbox.call('GET', path)
    if (status !== 200) unread.push(`${path}: ${status} ${JSON.stringify(body)}`)
    for (const { uuid } of body.webhooks ?? []) {
      const jobs = await sandbox.call('GET', `/webhooks/${uuid}/jobs`)
      if (jobs.status !== 200) unread.push(`jobs of ${uuid}: ${jobs.status} ${JSON.stringify(jobs.body)}`)
    }
  }
  return unread
}

test('a snapshot that was altered anywhere is refused and changes nothing, or leaves every list readable', async () => {
  const origin = testSandbox()
  await origin.register()
  await origin.control('POST', '/payments', { kind: 'card-payin', pace: 'instant' })
  await origin.control('POST', '/faults', { on: 'delivery', kind: 'duplicate' })
  await origin.control('POST', '/clock/advance', { by: '10m' })
  const whole: Forged = (await origin.control('GET', '/snapshot')).body
  const paths = pathsIn(whole['entries']).filter((path) => path.length > 0)
  const counted = { taken: 0, refused: 0 }

  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.oneof(
        { weight: 1, arbitrary: fc.constant({}) },
        { weight: 4, arbitrary: fc.record({ value: fc.constantFrom(...VALUES) }) },
      ),
      async (at, instead) => {
        const entries = altered(whole['entries'], paths[at % paths.length] ?? [], instead)
        const sandbox = testSandbox()
        await sandbox.register()
        const before = JSON.stringify([...sandbox.store.entries()])
        let snapshot: Forged
        try {
          snapshot = forged(whole, { entries })
        } catch {
          return // What has no entries at all has no checksum either.
        }
        const { status } = await sandbox.control('PUT', '/snapshot', snapshot)
        if (status === 200) {
          counted.taken++
          expect(await everythingIsReadable(sandbox)).toEqual([])
        } else {
          counted.refused++
          expect([
            status >= 400 && status < 500,
            JSON.stringify([...sandbox.store.entries()]) === before,
          ]).toEqual([true, true])
        }
        expect(sandbox.errors).toEqual([])
      },
    ),
    { numRuns: 100, seed: 1 },
  )

  expect([counted.taken > 0, counted.refused > 0]).toEqual([true, true])
})
