/** A control API operation, with the details that a call needs. */
export interface TryOperation {
  readonly id: string
  readonly method: string
  /** The path, with a placeholder such as `{name}` for each parameter. */
  readonly path: string
  readonly summary: string
  /** The initial value of each path parameter. */
  readonly parts: Readonly<Record<string, string>>
  /** The names of the query parameters. */
  readonly query: readonly string[]
  /** An example request body as JSON. Undefined if the operation has no request body. */
  readonly body?: string
}

/** The values of a call: the URL of the control API, the parameters and the body. */
export interface TryCall {
  readonly bench: string
  readonly parts: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: string
}

interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
}
interface DocumentOperation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: object
}
interface ControlDocument {
  readonly paths: Readonly<Record<string, object>>
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}

const RECEIVER = 'https://localhost:9443/notifications/items/3f9c1d2ab47e8051c6d20a94e7b1358f'

const BODIES: Readonly<Record<string, object>> = {
  setClock: { mode: 'manual' },
  issueCertificate: { hosts: ['localhost'] },
  advanceClock: { by: '25m' },
  setReadings: { 'retry-window': 'five-attempts' },
  createObject: { amount: 1200 },
  changeObject: { state: 'completed' },
  moveObject: { to: 'completed' },
  playPayment: { kind: 'direct-debit-payin', outcome: 'failed_direct_debit', amount: 1200 },
  setNextOutcome: { outcome: 'invalid_account_details' },
  craftDelivery: { url: RECEIVER, body: { items: { id: 'forged' } } },
  addFault: { on: 'delivery', kind: 'duplicate', match: { object_type: 'items' }, times: 1 },
  addRegistration: { generation: 'webhooks', object_type: 'items', url: RECEIVER },
  changeRegistration: { enabled: false },
  settle: { timeout_ms: 5_000 },
  startChecks: { checks: ['http'] },
  startRehearsal: { kind: 'npp-payin', deliveries: [{ notification: 1 }, { notification: 1 }] },
  addWorld: { name: 'mine', ttl_seconds: 604_800 },
  copyWorld: { name: 'copy' },
  claimWorld: { by: 'a run by hand' },
  previewRehearsal: { kind: 'npp-payin', deliveries: [{ notification: 1 }, { notification: 1 }] },
}

/** The operations whose request body only a program can create, such as a complete snapshot. */
const LEFT_OUT: ReadonlySet<string> = new Set(['putSnapshot'])

/** Lists the operations in the control API document, in the same order. */
export function listTryOperations({ paths, components }: ControlDocument): readonly TryOperation[] {
  const resolve = (one: Parameter): Parameter =>
    components.parameters[one.$ref?.replace(/^.*\//, '') ?? ''] ?? one
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]) => toTryOperation(method, path, { operation, resolve })),
    )
    .filter(({ id }) => !LEFT_OUT.has(id))
}

function toTryOperation(
  method: string,
  path: string,
  { operation, resolve }: { operation: DocumentOperation; resolve: (one: Parameter) => Parameter },
): TryOperation {
  const { operationId: id, summary, parameters = [], requestBody } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    parts: Object.fromEntries(names.map((name) => [name, FIRST_PARTS[name] ?? 'ID'])),
    query: parameters.map(resolve).flatMap((one) => (one.in === 'query' && one.name ? [one.name] : [])),
    ...(requestBody && { body: JSON.stringify(BODIES[id] ?? {}) }),
  }
}

const FIRST_PARTS: Readonly<Record<string, string>> = { type: 'items', kind: 'bpay-payout' }

/** Returns a curl command to run in the folder of the sandbox. The command reads the token from a file there. */
export function toCurlLine({ method, path, body }: TryOperation, call: TryCall): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(call.parts[name] ?? ''),
  )
  const query = new URLSearchParams(Object.entries(call.query).filter(([, value]) => value !== ''))
  const address = `${call.bench.replace(/\/+$/, '')}${filled}${query.size > 0 ? `?${query}` : ''}`
  return [
    'curl -sS',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quote(address),
    '-H "authorization: Bearer $(cat .hookbench/token)"',
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `-d ${quote(call.body)}`]),
  ].join(' ')
}

function quote(text: string): string {
  return /^[\w:/.?=&%-]+$/.test(text) && !/[?&]/.test(text)
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
