import type { paymentKinds } from '../../../spec/payments.ts'
import type { NotifiedType, notifiedTypes } from '../../../spec/notifications.ts'
import type { CrashPoint, DiskFailure, Interruption } from './world/simulated-disk.ts'
import type { Setup, Successor } from './world/incarnation.ts'
import type { Behaviour } from './world/platform.ts'
import { callbackTypes, type Generation } from '../../../spec/delivery.ts'
import type { ReferenceModel, Revision } from './reference-model.ts'
import type { Run } from './run.ts'

/** The setup and commands of a run, as plain data. The proof can print, reduce and repeat these commands. */
export interface Plan {
  readonly setup: Setup
  readonly commands: readonly Command[]
}

/** A command of a plan. The number `which`, modulo the number of candidates, selects a candidate. */
export type Command =
  | SingleCommand
  /** Two calls that are in flight at the same time. */
  | { readonly kind: 'pair'; readonly first: SingleCommand; readonly second: SingleCommand }
  | {
      readonly kind: 'crash'
      readonly during: SingleCommand
      readonly point: CrashPoint
      readonly loss: 'killed' | 'power-lost'
      readonly share: number
    }
  | ({ readonly kind: 'crowd' } & Crowd)
  | { readonly kind: 'save' }
  | {
      readonly kind: 'replace'
      readonly successor: Successor
      readonly meanwhile: readonly CrowdCall[]
      readonly interruption: Interruption | undefined
      readonly afterwards: Crowd
    }
  | { readonly kind: 'restart' }
  | { readonly kind: 'go-on'; readonly events: number }
  | { readonly kind: 'wall-clock'; readonly minutes: number }
  | {
      readonly kind: 'bad-disk'
      readonly failure: DiskFailure
      readonly times: number
      readonly after: number
    }
  | { readonly kind: 'behave'; readonly which: number; readonly behaviour: Behaviour }

export interface Crowd {
  readonly calls: readonly CrowdCall[]
  /** True if the first sync finds the disk full. One more call is made after the disk recovers. */
  readonly failsSync: boolean
  readonly loss: number | undefined
}

export interface CrowdCall {
  readonly call: SingleCommand
  readonly turns: number
}

export type SingleCommand =
  | {
      readonly kind: 'register'
      readonly generation: 'webhooks' | 'callbacks'
      readonly type: number
      readonly receiver: number
      readonly enabled: boolean
    }
  | {
      readonly kind: 'change-registration'
      readonly which: number
      readonly change: 'enable' | 'disable' | 'move' | 'describe'
      readonly receiver: number
    }
  | { readonly kind: 'delete-registration'; readonly which: number }
  | {
      readonly kind: 'create'
      readonly which: number
      readonly type: (typeof notifiedTypes)[number] | 'watched'
      readonly by: 'service' | 'bench'
    }
  | {
      readonly kind: 'change'
      readonly which: number
      readonly among: 'all' | 'watched'
      readonly times: number
    }
  | {
      readonly kind: 'play'
      readonly payment: (typeof paymentKinds)[number]
      readonly outcome: number
      readonly pace: string
    }
  | { readonly kind: 'step'; readonly which: number }
  | { readonly kind: 'advance'; readonly minutes: number }
  | { readonly kind: 'resend'; readonly which: number }
  | ({
      readonly kind: 'list'
      readonly list: 'failed' | 'registrations' | 'responses' | 'job' | 'show' | 'control'
    } & { readonly which: number; readonly limit: number })
  | { readonly kind: 'refused'; readonly which: number }

/** Source: §2.4, §2.7, §2.8 and §2.9 of the service's document */
const STATE_FIELDS = {
  transactions: 'state',
  batch_transactions: 'state',
  disbursements: 'state',
  virtual_accounts: 'status',
} as const

/** Returns the generations that must report the revision. Implements §2.2 independently of the sandbox's code. */
export function mustNotify(
  revision: Revision,
  run: Pick<Run, 'model' | 'setup' | 'history'>,
): readonly Generation[] {
  if (!isVisible(revision, run) || !isTrigger(revision)) return []
  const { object_type } = revision.head
  const inCallbacks: readonly string[] = callbackTypes('current')
  return inCallbacks.includes(object_type) ? ['webhooks', 'callbacks'] : ['webhooks']
}

// Source: §2.2 of the service's document
function isTrigger({ head: { object_type }, body, before }: Revision): boolean {
  switch (object_type) {
    case 'items':
    case 'users':
    case 'companies':
      return true
    case 'accounts':
      return (
        before === undefined || before.body === body || withoutAmount(before.body) !== withoutAmount(body)
      )
    case 'transactions':
    case 'batch_transactions':
    case 'disbursements':
      return stateOf(object_type, body) !== stateOf(object_type, before?.body)
    case 'virtual_accounts':
      return (
        stateOf(object_type, before?.body) === 'pending_activation' &&
        stateOf(object_type, body) !== 'pending_activation'
      )
    default:
      return object_type satisfies never
  }
}

/** Returns false for an accompanying object that triggers no notification. Reading: accompanying-notifications */
function isVisible(
  { head, before }: Revision,
  { model, setup, history }: Pick<Run, 'model' | 'setup' | 'history'>,
) {
  const { id, object_type } = head
  const isEveryObjectNotified = setup.readings['accompanying-notifications'] === 'all'
  // Source: the reading `payout-disbursements`
  const followsBatch =
    object_type === 'disbursements' && model.revisions.some(({ key }) => key === `batch_transactions/${id}`)
  if (followsBatch) return isEveryObjectNotified
  if (before !== undefined) return true
  if (object_type === 'items' || model.paid.has(id)) return true
  if (wasAskedFor(id, head.owner?.user_id, history)) return true
  return model.participants.has(id) && isEveryObjectNotified
}

function wasAskedFor(id: string, owner: string | undefined, { calls }: Run['history']): boolean {
  return calls.some(({ method, path, body, answer }) => {
    if (method !== 'POST') return false
    const named: unknown = isRecord(body) ? (body['id'] ?? body['uuid']) : undefined
    if (path === '/users') return named === id || (owner !== undefined && named === owner)
    return path.startsWith('/control/objects/') && (named === id || answer?.body?.id === id)
  })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function stateOf(type: keyof typeof STATE_FIELDS, body: string | undefined): unknown {
  return body === undefined ? undefined : JSON.parse(body)[STATE_FIELDS[type]]
}

/** Returns the body with the wallet's amount set to 0, because a change of only the amount triggers no notification. */
function withoutAmount(body: string): string {
  return JSON.stringify({ ...JSON.parse(body), amount: 0 })
}

/** Source: §2.3 and §6.3 of the service's document */
export function expectedBody({ head: { object_type }, body }: Pick<Revision, 'head' | 'body'>): string {
  if (object_type !== 'virtual_accounts')
    return `{${JSON.stringify(object_type satisfies NotifiedType)}:${body}}`
  const { id, updated_at } = JSON.parse(body)
  const updatedAt = new Date(Date.parse(updated_at) + 12 * 3_600_000).toISOString().replace('Z', '+12:00')
  const link = `/virtual_accounts/${id}`
  return JSON.stringify({ event: 'status_updated', id, link, name: 'virtual_accounts', updatedAt })
}

export function revisionOf(model: ReferenceModel, key: string, revision: number): Revision | undefined {
  return model.revisions.find((each) => each.key === key && each.head.revision === revision)
}
