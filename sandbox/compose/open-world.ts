import { createRecoveryFile, recoveryPathOf } from '../adapters/kept-world-place.ts'
import { createClockAndRandom } from '../adapters/clock-and-random.ts'
import type { CertificateAuthority } from '../adapters/certificate-authority.ts'
import type { WorldOperations } from '../api/control/operation.ts'
import { ApiError } from '../engine/core/api-error.ts'
import { CUT_CONNECTION, type HttpRequest, type HttpResponse } from '../engine/core/http.ts'
import type { RealTime, Transport } from '../engine/core/ports.ts'
import { createIdleWaiters } from '../engine/core/signal.ts'
import type { Egress } from '../engine/delivery/egress.ts'
import type { Store } from '../engine/state/store.ts'
import { DEFAULT_WORLD, type WorldRecord } from '../engine/state/world-record.ts'
import { assemble } from './assemble.ts'
import type { ListenerName, ServeOptions } from './serve-options.ts'
import { LEFT_WORLD, recoverWorld, withWorldRecovery, type RecoveryPorts } from './world-recovery.ts'
import type { WorldTransport } from './world-sharing.ts'

export interface SharedParts {
  readonly options: ServeOptions
  readonly egress: Egress
  readonly transportOf: (id: string) => WorldTransport
  /** Returns the worlds to which the world's control token gives access. */
  readonly worldsOf: (world: WorldRecord) => WorldOperations
  readonly tokenKey: Uint8Array
  /** The token that gives access to the control API of every world. */
  readonly rootToken: string
  /** The real time at which the sandbox started, in milliseconds since the Unix epoch. */
  readonly startedAt: number
  readonly serviceUrl: () => string
  readonly benchUrl: () => string
  readonly ca: Pick<CertificateAuthority, 'certificatePem' | 'issue'>
}

export type OpenWorld = ReturnType<typeof openWorld>

/** Opens a world without starting it. Closes the store when the world closes or cannot open. Throws StorageError or RangeError. */
export function openWorld(record: WorldRecord, store: Store, shared: SharedParts) {
  const transport = shared.transportOf(record.id)
  const calls = createCallCount()
  let isCut = false

  function onError(where: string, error: unknown): void {
    if (record.id === DEFAULT_WORLD) shared.options.onError(where, error)
    else if (!isCut) shared.options.onError(`${where} of world "${record.name}"`, error)
  }

  const parts: OwnParts = { record, store, transport, onError, recovery: () => recovery }
  const assembled = assembleWorld(parts, shared)
  const recoveryPath = recoveryPathOf(shared.options.storePath, record.id)
  const file = recoveryPath === undefined ? undefined : createRecoveryFile(recoveryPath)
  const recovery = file && { file, snapshots: assembled.snapshots, store, onError }

  return {
    record,
    assembled,
    calls,
    /** Starts to send notifications. If a run of checks was interrupted, first restores the snapshot taken before the run. */
    async start(): Promise<void> {
      if (recovery) await recoverWorld(recovery).catch((error: unknown) => onError(LEFT_WORLD, error))
      assembled.start()
    },
    /** Answers a call. A streamed response counts as a call in flight until its end. */
    async answer(door: ListenerName, request: HttpRequest): Promise<HttpResponse> {
      const response = await assembled[door](request)
      if (isCut) return CUT_CONNECTION
      const { body } = response
      return body instanceof ReadableStream ? { ...response, body: withEnd(body, calls.enter()) } : response
    },
    /** Waits for calls and attempts in flight, and closes the world. After `graceMs`, interrupts the remaining calls and attempts. */
    async end(after: RealTime['after'], graceMs: number): Promise<void> {
      await assembled.hangUp()
      const late = Promise.withResolvers<void>()
      const cancel = after(graceMs, () => {
        isCut = true
        transport.cut()
        late.resolve()
      })
      await Promise.race([calls.idle(), late.promise])
      await assembled.close()
      cancel()
      isCut = true
    },
  }
}

interface OwnParts {
  readonly record: WorldRecord
  readonly store: Store
  readonly transport: Transport
  readonly onError: ServeOptions['onError']
  /** Returns the functions that restore the world after a run. Returns undefined if the world is only in memory. */
  readonly recovery: () => RecoveryPorts | undefined
}

function assembleWorld({ record, store, transport, onError, recovery }: OwnParts, shared: SharedParts) {
  const { options } = shared
  const { name, credentials, controlToken: benchToken } = record
  const isDefault = record.id === DEFAULT_WORLD
  const ports = { ...openClock(record, store, options), transport }
  const named = { name, credentials, clock: ports.clock }
  const place = () => ({ benchUrl: shared.benchUrl(), benchToken, world: isDefault ? undefined : name })
  const { judge, diagnose } = options
  return assemble({
    ports,
    store,
    settings: { ...options.settings, credentials },
    source: options.source,
    egress: shared.egress,
    tokenKey: shared.tokenKey,
    benchToken,
    rootToken: shared.rootToken,
    worldId: isDefault ? undefined : record.id,
    worlds: shared.worldsOf(record),
    everyCallNeedsToken: options.listenAt !== undefined,
    serviceUrl: shared.serviceUrl,
    dataFolder: options.dataFolder,
    concurrency: options.concurrency,
    onAttempt: (job, attempt) => options.onAttempt?.(job, attempt, named),
    onUnsubscribed: (unsubscribed) => options.onUnsubscribed?.(unsubscribed, named),
    judge: judge && {
      load: async () => withWorldRecovery(await judge(record), recovery()),
      sandbox: () => ({ ...place(), keepsWorld: recovery() !== undefined }),
    },
    diagnose: diagnose && (() => diagnose(place())),
    issueCertificate: (hosts) => issueCertificate(shared.ca, hosts),
    onError,
    onStorage: (problem) => options.onStorage?.(problem, named),
  })
}

/** Creates the clock and the random source of a world. The default world uses the speed and the seed from the command line. */
function openClock({ id, seed, speed }: WorldRecord, store: Store, options: ServeOptions) {
  try {
    return createClockAndRandom(id === DEFAULT_WORLD ? options : { seed, firstSpeed: speed }, store)
  } catch (error) {
    store.close()
    throw error
  }
}

async function issueCertificate(ca: SharedParts['ca'], hosts: readonly string[]) {
  try {
    const { certificatePem: certificate, privateKeyPem: private_key } = await ca.issue(hosts)
    return { certificate, private_key, ca: ca.certificatePem }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ApiError('invalid', { field: 'hosts', message: error.message }, { cause: error })
  }
}

function createCallCount() {
  let underWay = 0
  let begun = 0
  const isIdle = () => underWay === 0
  const { idle, notify } = createIdleWaiters(isIdle)
  return {
    isIdle,
    idle,
    begun: () => begun,
    /** Counts a call as in flight. Run the returned function when the call has ended. */
    enter() {
      underWay++
      begun++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        underWay--
        notify()
      }
    },
  }
}

function withEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const transformer = { flush: onEnd, cancel: onEnd }
  return body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(transformer))
}
