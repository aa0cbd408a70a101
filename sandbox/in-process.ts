import type { ObjectRecord } from '../spec/generated/control-types.ts'
import type { Item, Token, WebhookError } from '../spec/generated/service-types.ts'
import type { Assembled } from './assemble.ts'
import { advanceTarget } from './control/clock.ts'
import type { Sandbox } from './create-sandbox.ts'
import type { Context } from './operations/operation.ts'
import { startPayment } from './payments/play.ts'
import type { LiveData } from './state/data.ts'

export interface Inside {
  readonly origin: string
  readonly live: LiveData
  /** What went wrong inside, to be thrown at the next occasion. */
  readonly errors: unknown[]
}

/** The sandbox as a test has it: each call resolves when what it set off has come to rest. */
export function sandboxOver(assembled: Assembled, { origin, live, errors }: Inside): Sandbox {
  const { context, store, service, perform } = assembled

  async function settle(): Promise<void> {
    await assembled.idle()
    await live.synced()
    const [cause] = errors.splice(0)
    if (cause !== undefined) throw new Error('The sandbox failed', { cause })
  }

  async function made(performed: Promise<ObjectRecord>): Promise<Item> {
    const { id } = await performed
    await settle()
    const item = store.object('items', id)
    if (!item) throw new RangeError(`Cannot find items "${id}"`)
    return item.body
  }

  return {
    origin,
    async fetch(request) {
      const response = await service(request)
      await live.synced()
      return response
    },
    data: live.data,
    ...movesOf(assembled, settle),
    create: (type, fields = {}) =>
      made(perform('createObject', { path: { type }, query: {}, body: { ...fields } })),
    change: (type, id, fields) =>
      made(perform('changeObject', { path: { type, id }, query: {}, body: { ...fields } })),
    settle,
    jobs: () => store.jobs(),
    attempts: (job) => store.attempts(job),
    now: () => new Date(context.now()),
    close: () => assembled.close(),
  }
}

/** What moves money and time. */
function movesOf(
  { context, store, commit, nextStep, advance }: Assembled,
  settle: () => Promise<void>,
): Pick<Sandbox, 'play' | 'next' | 'advance'> {
  return {
    async play(kind, options = {}) {
      const { payment, writes } = startPayment({ ...options, kind }, context)
      await commit(writes)
      await settle()
      return store.payment(payment.id) ?? payment
    },
    async next(payment) {
      const stepped = await nextStep(payment)
      await settle()
      return stepped
    },
    async advance(by) {
      await advance(advanceTarget(by instanceof Date ? { to: instantText(by) } : { by }, context.now()))
      await settle()
    },
  }
}

function instantText(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString()
}

/** Registers as a platform does: a token, then the registration, or its new URL, with the test POST. */
export async function register(
  { origin, fetch }: Sandbox,
  { url, object_type }: { readonly url: string; readonly object_type: string },
  { credentials, view }: Pick<Context, 'credentials' | 'view'>,
): Promise<void> {
  const call = (method: string, path: string, { token = '', ...sent }: Readonly<Record<string, string>>) =>
    fetch(
      new Request(`${origin}${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(sent),
      }),
    )
  const { client_id, client_secret } = credentials
  const granted = await call('POST', '/tokens', {
    grant_type: 'client_credentials',
    client_id,
    client_secret,
  })
  const { access_token: token = '' } = await json<Partial<Token>>(granted)
  // A store that was used before has the registration of the test before.
  const present = view
    .registrations('webhooks')
    .find((known) => known.enabled && known.object_type === object_type)
  const registered = present
    ? await call('PATCH', `/webhooks/${present.id}`, { token, url })
    : await call('POST', '/webhooks', { token, url, object_type })
  if (registered.ok) return
  const { message } = await json<Partial<WebhookError>>(registered)
  throw new Error(`Cannot register the receiver of ${object_type}: ${message}`)
}

async function json<Body>(response: Response): Promise<Body> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pipeline has checked its own reply
  return (await response.json()) as Body
}
