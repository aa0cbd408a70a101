import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { forged, type Forged } from '../../../support/stores.ts'
import { testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'
import { OPERATIONS as BENCH } from '../../../../spec/generated/control-operations.ts'
import { OPERATIONS as SERVICE } from '../../../../spec/generated/service-operations.ts'
import { notifiedTypes } from '../../../../spec/notifications.ts'
import type { OperationRow } from '../../../../spec/rows.ts'

/** The values that each parameter of a path takes, by the path up to it. */
type Values = Readonly<Record<string, readonly string[]>>

/** Calls each GET of both APIs about all that there is; gives what was answered 500 or more. */
async function failedReads(sandbox: TestSandbox): Promise<readonly string[]> {
  const values = valuesOf(sandbox)
  const failed: string[] = []
  const read = async (rows: object, call: (path: string) => ReturnType<TestSandbox['call']>) => {
    const reads = Object.values<OperationRow>({ ...rows }).filter(({ method }) => method === 'GET')
    // A stream never ends.
    for (const path of reads.flatMap((row) => (row.id === 'streamEvents' ? [] : fill(row.path, values)))) {
      const { status, body } = await call(path)
      if (status >= 500) failed.push(`${path}: ${status} ${JSON.stringify(body)}`)
    }
  }
  await read(SERVICE, (path) => sandbox.call('GET', path))
  await read(BENCH, (path) => sandbox.control('GET', path.replace('/control', '')))
  return failed
}

/** The path with each parameter replaced by each of its values. */
function fill(path: string, values: Values): readonly string[] {
  const [whole, before = ''] = /^(.*?)\/\{\w+\}/.exec(path) ?? []
  if (whole === undefined) return [path]
  const rest = path.slice(whole.length)
  const known = values[before] ?? values[before.replace(/^.*\//, '…/')] ?? []
  return known.flatMap((value) => fill(`${before}/${encodeURIComponent(value)}${rest}`, values))
}

function valuesOf({ store, context }: TestSandbox): Values {
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const jobs = ids(store.jobs())
  const objectsOf = notifiedTypes.map((type) => [type, [...store.objectIds(type)]] as const)
  return {
    '…/jobs': jobs,
    '…/responses': jobs,
    '…/payments': ids(store.paymentsBetween(0, store.paymentCount())),
    '…/deliveries': ids(store.craftedBetween(0, store.craftedCount()).map(({ crafted }) => crafted)),
    '…/requests': context.requests().map(({ id }) => String(id)),
    '/webhooks': ids(store.registrations('webhooks')),
    '/callbacks': ids(store.registrations('callbacks')),
    '/control/objects': notifiedTypes,
    ...Object.fromEntries(objectsOf.flatMap(([type, all]) => [[`/control/objects/${type}`, all]])),
    ...Object.fromEntries(objectsOf.map(([type, all]) => [`/${type}`, all])),
    '/bank_accounts': [...store.objectIds('accounts')],
    '/card_accounts': [...store.objectIds('accounts')],
    '/wallet_accounts': [...store.objectIds('accounts')],
  }
}

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
  'https://localhost:9443/?a=%',
  'https://localhost:9443/?a|b',
  '9fc8c651-1a1d-47c4-b0c2-1f724601ecf4',
  '2026-02-31T00:00:00.000Z',
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

/** A world with something of each kind in it. */
async function snapshotOfMuch(): Promise<Forged> {
  const { control, call, register, idle } = testSandbox({
    script: (_, index) => (index % 4 === 3 ? 503 : 200),
  })
  await register()
  await call('POST', '/callbacks', { url: 'https://LOCALHOST:9443/é?a=%20', object_type: 'transactions' })
  await call('POST', '/webhooks/secret_key', { secret_key: 'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9' })
  for (const type of ['companies', 'disbursements', 'virtual_accounts'])
    await control('POST', `/objects/${type}`, {})
  await control('POST', '/payments', { kind: 'card-payin', pace: 'instant' })
  await control('POST', '/faults', { on: 'delivery', kind: 'duplicate' })
  await control('POST', '/deliveries', { url: 'https://localhost:9443/x', raw: '{}' })
  await control('PUT', '/next-outcomes', { kind: 'bpay-payout', outcome: 'invalid_account_details' })
  await control('PATCH', '/readings', { 'retry-window': 'five-attempts' })
  await control('POST', '/clock/advance', { by: '10m' })
  await idle()
  return (await control('GET', '/snapshot')).body
}

/** With each body that is JSON as a value, so that anything in it can be altered. */
function opened({ entries, ...rest }: Forged): Forged {
  return { ...rest, entries: entries.map(({ head, body }: Forged) => ({ head, body: parsed(body) })) }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function closed({ entries, ...rest }: Forged): Forged {
  const written = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))
  return { ...rest, entries: entries.map((entry: Forged) => ({ ...entry, body: written(entry['body']) })) }
}

/** What is in each entry and call, and what stands beside them. */
const ALTERED = ['entries', 'requests', 'clock', 'chance', 'readings'] as const

test('a snapshot that was altered anywhere is refused and changes nothing, or leaves no read that fails', async () => {
  const whole = await snapshotOfMuch()
  const open = opened(whole)
  const paths = ALTERED.flatMap((part) => pathsIn(open[part], [part]))
  const counted = { taken: 0, refused: 0 }

  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.oneof(
        { weight: 1, arbitrary: fc.constant({}) },
        { weight: 4, arbitrary: fc.record({ value: fc.constantFrom(...VALUES) }) },
      ),
      async (at, instead) => {
        const sandbox = testSandbox()
        await sandbox.register()
        const before = JSON.stringify([...sandbox.store.entries()])
        let snapshot: Forged
        try {
          snapshot = forged(closed(Object(altered(open, paths[at % paths.length] ?? [], instead))), {})
        } catch {
          return // What has no entries at all has no checksum either.
        }
        const { status } = await sandbox.control('PUT', '/snapshot', snapshot)
        if (status === 200) {
          counted.taken++
          expect(await failedReads(sandbox)).toEqual([])
        } else {
          counted.refused++
          expect([
            status >= 400 && status < 500,
            JSON.stringify([...sandbox.store.entries()]) === before,
          ]).toEqual([true, true])
        }
        expect(sandbox.errors).toEqual([])
        await sandbox.close()
      },
    ),
    { numRuns: 100 },
  )

  expect([counted.taken > 0, counted.refused > 0]).toEqual([true, true])
})
