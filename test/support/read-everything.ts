import { OPERATIONS as BENCH } from '../../spec/generated/control-operations.ts'
import { OPERATIONS as SERVICE } from '../../spec/generated/service-operations.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import type { OperationRow } from '../../spec/rows.ts'
import type { TestSandbox } from './test-sandbox.ts'

/** The values that each parameter of a path takes, by the path up to it. */
type Values = Readonly<Record<string, readonly string[]>>

/** Calls each GET of both APIs about all that there is; gives what was answered 500 or more. */
export async function failedReads(sandbox: TestSandbox): Promise<readonly string[]> {
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
