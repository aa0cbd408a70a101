import type { AppliedFault, RequestRecord } from '../../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { RealTime } from '../core/ports.ts'
import { createSignal } from '../core/signal.ts'

/** The calls that the service API received, the newest of them, in memory. */
export interface RequestLog {
  /** Puts a call on record as it comes in. */
  begin(call: IncomingCall): OpenCall
  /** Oldest first. */
  list(): readonly RequestRecord[]
  replace(requests: readonly RequestRecord[]): void
  /** Calls the listener with each call when it was answered, or cut; returns a function that ends it. */
  subscribe(listener: (request: RequestRecord) => void): () => void
}

export interface IncomingCall {
  /** When, as sandbox time is printed. */
  readonly at: string
  readonly method: string
  readonly url: string
  readonly user_agent: string | null
}

/** What becomes known of a call on its way. */
export interface OpenCall {
  /** What it calls, once a route was found. */
  setOperation(
    operation: string,
    object: { readonly type: NotifiedType | null; readonly id: string | null },
  ): void
  /** Who it was, once that is proved. */
  setCaller(name: string): void
  setFaults(faults: readonly AppliedFault[]): void
  /** Null if the connection was cut. */
  end(status: number | null): void
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

const MOST_KEPT = 10_000

/** What becomes known on the way. */
const UNANSWERED = {
  operation: null,
  object_type: null,
  object_id: null,
  by: null,
  status: null,
  took_ms: null,
  faults: [],
} as const

export function createRequestLog(realTime: RealTime): RequestLog {
  let requests: RequestRecord[] = []
  let count = 0
  const answered = createSignal<RequestRecord>()

  function keep(record: RequestRecord): void {
    requests.push(record)
    // Now and then only: to move all of them at each call would cost more than the call.
    if (requests.length >= 2 * MOST_KEPT) requests = requests.slice(-MOST_KEPT)
  }

  return {
    begin({ at, method, url, user_agent }) {
      const startedAt = realTime.elapsed()
      const real_at = new Date(realTime.now()).toISOString()
      const known = { id: ++count, at, real_at, method, path: withoutSecrets(url), user_agent }
      const record: Mutable<RequestRecord> = { ...UNANSWERED, ...known }
      keep(record)
      return {
        setOperation(operation, { type, id }) {
          Object.assign(record, { operation, object_type: type, object_id: id })
        },
        setCaller(name) {
          record.by = name
        },
        setFaults(faults) {
          record.faults = faults
        },
        end(status) {
          Object.assign(record, { status, took_ms: realTime.elapsed() - startedAt })
          answered.emit(record)
        },
      }
    },
    list: () => requests.slice(-MOST_KEPT),
    replace(others) {
      requests = [...others]
      count = others.at(-1)?.id ?? 0
    },
    subscribe: answered.subscribe,
  }
}

/** The path with its query, without the values of parameters that are secret. */
function withoutSecrets(url: string): string {
  const { pathname, search, searchParams } = new URL(url)
  const secret = [...searchParams.keys()].filter((name) => /secret|token|password/i.test(name))
  if (secret.length === 0) return pathname + search
  for (const name of secret) searchParams.set(name, '***')
  return `${pathname}?${searchParams.toString()}`
}
