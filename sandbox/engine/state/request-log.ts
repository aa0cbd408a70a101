import type { AppliedFault, RequestRecord } from '../../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { RealTime } from '../core/ports.ts'
import { createSignal } from '../core/signal.ts'
import { timestamp } from '../core/timestamp.ts'

/** The calls that the service API received, the newest of them, in memory. */
export interface RequestLog {
  /** Puts a call on record as it comes in. */
  begin(call: IncomingCall): OpenCall
  /** Oldest first. */
  list(): readonly RequestRecord[]
  replace(requests: readonly RequestRecord[]): void
  /** Calls the listener with what prints each call, when that was answered or cut; returns a function that ends it. */
  subscribe(listener: (print: () => RequestRecord) => void): () => void
}

export interface IncomingCall {
  /** Sandbox time, epoch milliseconds. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** With its question mark; empty if there is none. */
  readonly query: string
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

const MOST_KEPT = 10_000

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

type Progress = Mutable<
  Pick<RequestRecord, 'operation' | 'object_type' | 'object_id' | 'by' | 'status' | 'took_ms' | 'faults'>
>

interface Beginning extends IncomingCall {
  readonly id: number
  /** Real time, epoch milliseconds. */
  readonly real_at: number
}

/** Keeps what prints a call, not its record: times and secrets are written out when somebody looks, which is seldom. */
export function createRequestLog(realTime: RealTime): RequestLog {
  let prints: (() => RequestRecord)[] = []
  let count = 0
  const answered = createSignal<() => RequestRecord>()

  function keep(print: () => RequestRecord): void {
    prints.push(print)
    // Now and then only: to move all of them at each call would cost more than the call.
    if (prints.length >= 2 * MOST_KEPT) prints = prints.slice(-MOST_KEPT)
  }

  return {
    begin(call) {
      const startedAt = realTime.elapsed()
      const beginning: Beginning = { ...call, id: ++count, real_at: realTime.now() }
      const progress: Progress = {
        operation: null,
        object_type: null,
        object_id: null,
        by: null,
        status: null,
        took_ms: null,
        faults: [],
      }
      const print = () => toRecord(beginning, progress)
      keep(print)
      return {
        setOperation(operation, { type, id }) {
          progress.operation = operation
          progress.object_type = type
          progress.object_id = id
        },
        setCaller(name) {
          progress.by = name
        },
        setFaults(faults) {
          progress.faults = faults
        },
        end(status) {
          progress.status = status
          progress.took_ms = realTime.elapsed() - startedAt
          answered.emit(print)
        },
      }
    },
    list: () => prints.slice(-MOST_KEPT).map((print) => print()),
    replace(requests) {
      prints = requests.map((request) => () => request)
      count = requests.at(-1)?.id ?? 0
    },
    subscribe: answered.subscribe,
  }
}

function toRecord(
  { id, at, real_at, method, path, query, user_agent }: Beginning,
  progress: Progress,
): RequestRecord {
  return {
    ...progress,
    id,
    at: timestamp(at),
    real_at: timestamp(real_at),
    method,
    path: path + withoutSecrets(query),
    user_agent,
  }
}

/** The query without the values of parameters that are secret. */
function withoutSecrets(query: string): string {
  const parameters = new URLSearchParams(query)
  const secret = [...parameters.keys()].filter((name) => /secret|token|password/i.test(name))
  if (secret.length === 0) return query
  for (const name of secret) parameters.set(name, '***')
  return `?${parameters.toString()}`
}
