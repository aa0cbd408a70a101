/** The maximum number of entries in a page of a list from the service. */
const PAGE = 200

const TYPES = new Set(
  'items users batch_transactions accounts transactions disbursements companies virtual_accounts'.split(' '),
)
/** The final states of each object type. An object never leaves a final state. */
const FINAL = {
  transactions: ['successful'],
  batch_transactions: ['successful', 'invalid_account_details', 'failed_direct_debit'],
  disbursements: ['successful', 'cancelled'],
  virtual_accounts: ['active', 'activation_failed'],
}
/** The types that require an action after success: money has moved, or an account is open. */
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
/** Returns an own property of the object. Inherited properties do not count, because a body can use the names of inherited properties as keys. */
export const readField = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined)
const textOf = (object, name) => (typeof readField(object, name) === 'string' ? object[name] : null)

/** Classifies the body of a POST to the URL of a type. The body is a notification with an id, the test message, or a body for another URL. */
export function interpretBody(body, type) {
  const id = readId(findObject(body, type))
  if (id !== undefined) return { kind: 'notification', id }
  return { kind: isTestMessage(body) ? 'test' : 'foreign' }
}

/** Returns true for the test message, which only proves that the URL exists. */
function isTestMessage(body) {
  return isRecord(body) && !Object.keys(body).some(isNotifiedType) && textOf(body, 'message') !== null
}

/** Returns the object in a body, which is the value under the key of its type. The body of a virtual account has no such key. */
export function findObject(body, type) {
  if (!isRecord(body)) return undefined
  if (type === 'virtual_accounts' && !Object.hasOwn(body, type)) return body.name === type ? body : undefined
  const object = readField(body, type)
  return isRecord(object) ? object : undefined
}

/** Returns the id of an object as text. Returns undefined if the id is neither a text nor an integer. */
export function readId(object) {
  const id = object && readField(object, 'id')
  // Rejects an id with half a surrogate pair, because a database would return a different id.
  if (typeof id === 'string' && id !== '' && id.isWellFormed()) return id
  return Number.isSafeInteger(id) ? String(id) : undefined
}

/** Returns the object in a response of the service. Undefined if the response contains a different object. */
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

/** Returns true if the fetched object `now` may replace the stored object `before`. Returns false if `before` has a final state or is newer. */
export function canReplace(before, now) {
  if (before === undefined) return true
  if (FINAL[now.type]?.includes(before.state) && now.state !== before.state) return false
  return before.updatedAt === null || now.updatedAt === null || now.updatedAt >= before.updatedAt
}

/** Returns true if the platform must act on the object. */
export function isDue({ type, kind, state }) {
  const success = type === 'virtual_accounts' ? 'active' : 'successful'
  return state === success && CONSEQUENTIAL.has(kind === null ? type : `${type} ${kind}`)
}

/** Returns the path of an object. Undefined for an id that cannot be a path segment. */
export function objectPath(type, id) {
  return id === '.' || id === '..' ? undefined : `/${type}/${encodeURIComponent(id)}`
}

/** Provides the access token for all calls to the service. After a failed token request, the next call requests a new token. */
export function createTokens(options, stopped) {
  let token
  function forget(old) {
    // Only the first call that gets an error for an expired token removes this token. Later calls use the new token.
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

/** Returns a signal that aborts a call after a timeout. The timeout is longer than a busy service needs, but short enough to retry soon. */
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

/** Calls the service. `stopped` cancels the calls in flight. */
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
    // The code 405 means that the object is unknown, so a new token would not help.
    if (status === 404 || (status === 401 && isRecord(body) && body.code === 405)) return { kind: 'missing' }
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    return { kind: 'unavailable', status, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0 }
  }

  return {
    /** Fetches an object. Returns `shown` with the body, `missing`, or `unavailable` after a temporary failure. Never rejects. */
    async show(path) {
      try {
        const granted = tokens.current()
        const first = await call(path, granted)
        // The statuses 401 and 403 mean that the token has expired.
        if (first.status !== 401 && first.status !== 403) return first
        tokens.forget(granted)
        return await call(path, tokens.current())
      } catch {
        return { kind: 'unavailable', status: undefined, retryAfterMs: 0 }
      }
    },
  }
}

/** Returns the notifications that the service could not deliver, from its list of failed jobs. Rejects if the service is unavailable. */
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
