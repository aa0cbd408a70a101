/** The most that the service puts on one page. */
const PAGE = 200

const TYPES = new Set(
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

export const isNotifiedType = (type) => TYPES.has(type)
export const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** An own field: a body may have keys that every object inherits. */
export const readField = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined)
const textOf = (object, name) => (typeof readField(object, name) === 'string' ? object[name] : null)

/** What a body is at the address of a type: a notification with its id, the test message, or nothing that concerns this address. */
export function interpretBody(body, type) {
  const id = readId(findObject(body, type))
  if (id !== undefined) return { kind: 'notification', id }
  return { kind: isTestMessage(body) ? 'test' : 'foreign' }
}

/** The test message says nothing but that the address is there. */
function isTestMessage(body) {
  return isRecord(body) && !Object.keys(body).some(isNotifiedType) && textOf(body, 'message') !== null
}

/** In a wrapper of its type, or flat, as virtual accounts are notified. */
export function findObject(body, type) {
  if (!isRecord(body)) return undefined
  if (type === 'virtual_accounts' && !Object.hasOwn(body, type)) return body.name === type ? body : undefined
  const object = readField(body, type)
  return isRecord(object) ? object : undefined
}

/** A text, or an integer as its digits; undefined if it is neither. */
export function readId(object) {
  const id = object && readField(object, 'id')
  // A store would read half a character back as another id.
  if (typeof id === 'string' && id !== '' && id.isWellFormed()) return id
  return Number.isSafeInteger(id) ? String(id) : undefined
}

/** What the service shows of the object that was asked for; undefined if it shows another one. */
export function parseKnownObject(body, type, askedFor) {
  const object = findObject(body, type) ?? (type === 'virtual_accounts' && isRecord(body) ? body : undefined)
  const shownId = readId(object)
  const uuid = object && textOf(object, 'uuid')
  if (shownId === undefined || (shownId !== askedFor && uuid !== askedFor)) return undefined
  const kind = textOf(object, 'type_method')
  const updatedAt = Date.parse(textOf(object, 'updated_at') ?? '')
  const amount = readField(object, 'amount')
  return {
    type,
    id: uuid ?? shownId,
    number: uuid === null ? null : shownId,
    kind: kind === null ? null : `${textOf(object, 'type')}/${kind}`,
    state: textOf(object, { users: 'verification_state', virtual_accounts: 'status' }[type] ?? 'state'),
    updatedAt: Number.isNaN(updatedAt) ? null : updatedAt,
    amount: Number.isSafeInteger(amount) ? amount : null,
    currency: textOf(object, 'currency'),
    userId: textOf(object, 'user_id'),
    accountId: textOf(object, 'account_id'),
  }
}

/** A final state never goes, and an older word never comes. */
export function canReplace(before, now) {
  if (before === undefined) return true
  if (FINAL[now.type]?.includes(before.state) && now.state !== before.state) return false
  return before.updatedAt === null || now.updatedAt === null || now.updatedAt >= before.updatedAt
}

/** Whether the platform is to act on it. */
export function isDue({ type, kind, state }) {
  const success = type === 'virtual_accounts' ? 'active' : 'successful'
  return state === success && CONSEQUENTIAL.has(kind === null ? type : `${type} ${kind}`)
}

/** The path that shows an object; undefined for an id that is no segment of a path, however it is written. */
export function objectPath(type, id) {
  return id === '.' || id === '..' ? undefined : `/${type}/${encodeURIComponent(id)}`
}

/** The token of all calls. One that could not be had is asked for again by the next call. */
export function createTokens(options, stopped) {
  let token
  function forget(old) {
    // Whoever notices first throws it away, the others find the new one.
    if (token === old) token = undefined
  }
  return {
    current() {
      if (token) return token
      const granted = requestToken(options, stopped)
      token = granted
      granted.catch(() => forget(granted))
      return granted
    },
    forget,
  }
}

/** Longer than a busy service takes, short enough to try again soon where it hangs. */
const deadline = ({ timeoutMs = 3_000 }, stopped) =>
  AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])

async function requestToken({ url, clientId, clientSecret, ...options }, stopped) {
  const response = await fetch(`${url}/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'receiver',
    }),
    signal: deadline(options, stopped),
  })
  const { access_token } = await response.json()
  if (typeof access_token !== 'string') throw new Error(`The service gives no token: ${response.status}`)
  return access_token
}

/** Asks the service; `stopped` ends the calls under way. */
export function createService(options, tokens, stopped) {
  async function call(path, granted) {
    const response = await fetch(`${options.url}${path}`, {
      headers: { authorization: `Bearer ${await granted}`, accept: 'application/json' },
      redirect: 'manual',
      signal: deadline(options, stopped),
    })
    const { status } = response
    if (status === 200) return { kind: 'shown', body: await response.json() }
    const body = await response.json().catch(() => undefined)
    // With this code it is of an object that the service does not know: another token would not help.
    if (status === 404 || (status === 401 && isRecord(body) && body.code === 405)) return { kind: 'missing' }
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    return { kind: 'unavailable', status, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0 }
  }

  return {
    /** `shown` with its body, `missing`, or `unavailable` for now. Never rejects. */
    async show(path) {
      try {
        const granted = tokens.current()
        const first = await call(path, granted)
        // It has expired.
        if (first.status !== 401 && first.status !== 403) return first
        tokens.forget(granted)
        return await call(path, tokens.current())
      } catch {
        return { kind: 'unavailable', status: undefined, retryAfterMs: 0 }
      }
    },
  }
}

/** What the service could not deliver: the notifications of its failed jobs. Rejects if it cannot be asked now. */
export async function listMissed({ show }) {
  const missed = []
  for (const { uuid, object_type: type } of await readPages(show, '/webhooks?', 'webhooks')) {
    if (!isNotifiedType(type)) continue
    const jobs = await readPages(show, `/webhooks/${encodeURIComponent(uuid)}/jobs?status=failed&`, 'jobs')
    for (const { payload } of jobs) {
      const { kind, id } = interpretBody(payload, type)
      if (kind === 'notification')
        missed.push({ type, id, generation: 'webhooks', body: JSON.stringify(payload) })
    }
  }
  return missed
}

async function readPages(show, path, key) {
  const rows = []
  for (;;) {
    const { body } = await show(`${path}limit=${PAGE}&offset=${rows.length}`)
    if (body === undefined) throw new Error(`The service does not show ${path} now`)
    const page = isRecord(body) && Array.isArray(body[key]) ? body[key].filter(isRecord) : []
    rows.push(...page)
    if (page.length < PAGE) return rows
  }
}
