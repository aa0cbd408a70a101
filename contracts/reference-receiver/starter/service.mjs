const { env } = process
const SERVICE = env.HOOKBENCH_SERVICE_URL ?? 'http://127.0.0.1:4010'
const CLIENT = {
  grant_type: 'client_credentials',
  client_id: env.SERVICE_CLIENT_ID ?? env.HOOKBENCH_CLIENT_ID ?? 'sandbox',
  client_secret: env.SERVICE_CLIENT_SECRET ?? env.HOOKBENCH_CLIENT_SECRET ?? 'sandbox-secret',
  scope: 'receiver',
}
/** Longer than a busy service takes, short enough to try again soon where it hangs. */
const TIMEOUT_MS = 3_000
/** The most that the service puts on one page. */
const PAGE = 200

export const TYPES = new Set(
  'items users batch_transactions accounts transactions disbursements companies virtual_accounts'.split(' '),
)
/** States after which an object does not change any more. */
const FINAL = {
  transactions: ['successful'],
  batch_transactions: ['successful', 'invalid_account_details', 'failed_direct_debit'],
  disbursements: ['successful', 'cancelled'],
  virtual_accounts: ['active', 'activation_failed'],
}
/** What a platform acts on when it succeeds: money has moved, or an account is open. */
const CONSEQUENTIAL = new Set([
  'batch_transactions disbursement/direct_credit',
  'batch_transactions disbursement/bpay',
  'batch_transactions payment/direct_debit',
  'transactions payment/credit_card',
  'transactions payment/wallet_account_transfer',
  'transactions deposit/bpay',
  'transactions deposit/npp_payin',
  'transactions deposit/direct_credit',
  'disbursements',
  'virtual_accounts',
])

const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** An own field: a body may have keys that every object inherits. */
const read = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined)
const textOf = (object, name) => (typeof read(object, name) === 'string' ? object[name] : null)

/** The id that a notification is about; undefined if it is about none of this type. */
export function readId(body, type) {
  return idOf(findObject(body, type))
}

/** Whether it is the test message, which says nothing but that the address is there. */
export function isTestMessage(body) {
  return (
    isRecord(body) && !Object.keys(body).some((key) => TYPES.has(key)) && textOf(body, 'message') !== null
  )
}

/** In a wrapper of its type, or flat, as virtual accounts are notified. */
function findObject(body, type) {
  if (!isRecord(body)) return undefined
  if (type === 'virtual_accounts' && !Object.hasOwn(body, type)) return body.name === type ? body : undefined
  const object = read(body, type)
  return isRecord(object) ? object : undefined
}

function idOf(object) {
  const id = object && read(object, 'id')
  // A store would read half a character back as another id.
  if (typeof id === 'string' && id !== '' && id.isWellFormed()) return id
  return Number.isSafeInteger(id) ? String(id) : undefined
}

/** What the service shows of the object that was asked for, and whether that is to be acted on; undefined if it shows another one. */
export function readObject(body, type, askedFor) {
  const object = findObject(body, type) ?? (type === 'virtual_accounts' && isRecord(body) ? body : undefined)
  const shownId = idOf(object)
  const uuid = object && textOf(object, 'uuid')
  if (shownId === undefined || (shownId !== askedFor && uuid !== askedFor)) return undefined
  const kind = textOf(object, 'type_method')
  const state = textOf(object, { users: 'verification_state', virtual_accounts: 'status' }[type] ?? 'state')
  const updatedAt = Date.parse(textOf(object, 'updated_at') ?? '')
  const { amount, currency, user_id, account_id } = object
  return {
    type,
    id: uuid ?? shownId,
    number: uuid === null ? null : shownId,
    state,
    updatedAt: Number.isNaN(updatedAt) ? null : updatedAt,
    details: {
      ...(Number.isSafeInteger(amount) && { amount }),
      ...(typeof currency === 'string' && { currency }),
      ...(typeof user_id === 'string' && { user_id }),
      ...(typeof account_id === 'string' && { account_id }),
    },
    isDue:
      state === (type === 'virtual_accounts' ? 'active' : 'successful') &&
      CONSEQUENTIAL.has(kind === null ? type : `${type} ${textOf(object, 'type')}/${kind}`),
  }
}

/** A final state never goes, and an older word never comes. */
export function canReplace(before, now) {
  if (before === undefined) return true
  if (FINAL[now.type]?.includes(before.state) && now.state !== before.state) return false
  return before.updatedAt === null || now.updatedAt === null || now.updatedAt >= before.updatedAt
}

let token

/** Asks the service: `{body}`, `{isMissing}`, or `{retryAfterMs}` where it cannot tell now. Never rejects. */
export async function show(path) {
  try {
    const granted = takeToken()
    const first = await call(path, granted)
    if (!first.isRefused) return first
    // It has expired: whoever notices first throws it away, the others find the new one.
    if (token === granted) token = undefined
    return await call(path, takeToken())
  } catch {
    return { retryAfterMs: 0 }
  }
}

function takeToken() {
  if (token) return token
  const granted = requestToken()
  token = granted
  granted.catch(() => {
    if (token === granted) token = undefined
  })
  return granted
}

async function requestToken() {
  const response = await fetch(`${SERVICE}/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(CLIENT),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { access_token } = await response.json()
  if (typeof access_token !== 'string') throw new Error(`The service gives no token: ${response.status}`)
  return access_token
}

async function call(path, granted) {
  const response = await fetch(`${SERVICE}${path}`, {
    headers: { authorization: `Bearer ${await granted}`, accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { status } = response
  if (status === 200) return { body: await response.json() }
  const body = await response.json().catch(() => undefined)
  // With this code it is of an object that the service does not know: another token would not help.
  if (status === 404 || (status === 401 && isRecord(body) && body.code === 405)) return { isMissing: true }
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return {
    isRefused: status === 401 || status === 403,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0,
  }
}

/** What the service could not deliver: the objects of its failed jobs, as `[type, id]`. Rejects if it cannot be asked now. */
export async function listMissed() {
  const missed = []
  for (const { uuid, object_type: type } of await readPages('/webhooks?', 'webhooks')) {
    const jobs = await readPages(`/webhooks/${encodeURIComponent(uuid)}/jobs?status=failed&`, 'jobs')
    const ids = jobs.map(({ payload }) => readId(payload, type)).filter((id) => id !== undefined)
    missed.push(...ids.map((id) => [type, id]))
  }
  return missed
}

async function readPages(path, key) {
  const rows = []
  for (;;) {
    const { body } = await show(`${path}limit=${PAGE}&offset=${rows.length}`)
    if (body === undefined) throw new Error(`The service does not show ${path} now`)
    const page = isRecord(body) && Array.isArray(body[key]) ? body[key].filter(isRecord) : []
    rows.push(...page)
    if (page.length < PAGE) return rows
  }
}
