import { openCertificateAuthority } from '../adapters/certificate-authority.ts'
import type { Listener } from '../adapters/node-server.ts'
import {
  createCandidate,
  type Candidate,
  type CandidateOptions,
  type Held,
  type Waiting,
} from '../adapters/standby/candidate.ts'
import { errorReply } from '../api/http/error-bodies.ts'
import { RETRY_SOON } from '../api/http/pipeline.ts'
import { ApiError } from '../engine/core/api-error.ts'
import { jsonResponse, type HttpRequest, type RequestHandler } from '../engine/core/http.ts'
import { VERSION } from '../engine/core/version.ts'
import type { StorageError } from '../engine/state/storage-error.ts'
import type { ServeOptions } from './serve-options.ts'
import { createHost, serveSandbox, type ServedSandbox } from './serve-sandbox.ts'

/** A process that serves the sandbox of a PostgreSQL database, or waits until it may. */
export interface ServedStandby extends Pick<ServedSandbox, 'serviceUrl' | 'benchUrl' | 'publicUrls' | 'ca'> {
  /** Serves whenever it has the lease, until the signal aborts. Rejects with StorageError where a human has to act. */
  run(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface StandbyOptions extends Omit<CandidateOptions, 'member' | 'waiting'> {
  /** Returns how the others know this process, whose bench has this address. */
  readonly member: (benchUrl: string) => CandidateOptions['member']
  /** Called when it begins to serve, and when it may not any more, with the reason. */
  readonly onRole: (lost?: StorageError) => void
}

const GRACE_MS = 2_000

/** Throws ListenError or StorageError, each with the remedy, and leaves nothing half open. */
export async function serveStandby(options: ServeOptions, standby: StandbyOptions): Promise<ServedStandby> {
  const ca = await openCertificateAuthority(options.caFolder)
  const waiting: Waiting = {}
  const doors = createDoors(waiting)
  const listeners: Listener[] = []
  const closeAll = () => Promise.all(listeners.map((listener) => listener.close(GRACE_MS)))
  try {
    const host = await createHost(options, ca)
    const service = await host.listen('service', doors.service)
    listeners.push(service)
    const bench = await host.listen('bench', doors.bench)
    listeners.push(bench)
    const candidate = await createCandidate({ ...standby, waiting, member: standby.member(bench.publicUrl) })
    return {
      serviceUrl: service.url,
      benchUrl: bench.url,
      publicUrls: { service: service.publicUrl, bench: bench.publicUrl },
      ca,
      run: (signal) => run(options, standby, { candidate, doors, listeners: { service, bench }, signal }),
      async close() {
        await candidate.close()
        await closeAll()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

interface Parts {
  readonly candidate: Candidate
  readonly doors: ReturnType<typeof createDoors>
  readonly listeners: { readonly service: Listener; readonly bench: Listener }
  readonly signal: AbortSignal
}

async function run(options: ServeOptions, { path, onRole }: StandbyOptions, parts: Parts): Promise<void> {
  const { candidate, doors, listeners, signal } = parts
  for (let held = await candidate.take(signal); held; held = await candidate.take(signal)) {
    const { holding, openDisk } = held
    const host = {
      openDisk,
      // The listeners stay open.
      listen: async (door: keyof typeof listeners, handle: RequestHandler) => ({
        ...listeners[door],
        close: doors.open(door, handle, holding),
      }),
    }
    try {
      const sandbox = await serveSandbox({ ...options, storePath: path, host })
      onRole()
      await Promise.race([holding.lost, untilAborted(signal)])
      doors.closeAll(holding.problem)
      // What is lost fails at its end, too.
      await sandbox.close().catch((error: unknown) => holding.problem ?? options.onError('close', error))
    } catch (error) {
      if (!holding.problem) throw error
    } finally {
      doors.closeAll(holding.problem)
      if (holding.problem) onRole(holding.problem)
      await holding.release()
    }
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The handlers of the two listeners. Behind them a sandbox answers, or nobody. */
function createDoors(waiting: Waiting) {
  const nobody = (request: HttpRequest) => refuse(request, waiting)
  const handlers: { service: RequestHandler; bench: RequestHandler } = { service: nobody, bench: nobody }
  return {
    service: (request: HttpRequest) => handlers.service(request),
    bench: (request: HttpRequest) => handlers.bench(request),
    /** Returns a function that closes it. */
    open(door: keyof typeof handlers, handle: RequestHandler, holding: Held['holding']) {
      // The health is known at once. Other calls wait for PostgreSQL until the lease ends.
      handlers[door] = (request) => {
        const trouble = holding.problem ?? holding.trouble
        return trouble && isHealth(request) ? refuse(request, { trouble }) : handle(request)
      }
      return async () => void (handlers[door] = nobody)
    },
    closeAll(trouble: StorageError | undefined): void {
      Object.assign(handlers, { service: nobody, bench: nobody })
      Object.assign(waiting, { active: undefined, trouble })
    },
  }
}

const isHealth = ({ path }: HttpRequest) => path === '/control/health'

/** Answers with 503, and who serves. */
async function refuse(request: HttpRequest, { active, trouble }: Waiting) {
  const serving = active
    ? `"${active.name}" serves the sandbox, at ${active.address}`
    : 'no process serves yet'
  const reason = trouble ? trouble.message : `This process is a standby: ${serving}`
  const status = trouble ? 'storage_away' : 'standby'
  const error = new ApiError(trouble ? 'storage-away' : 'standby', {
    message: reason,
    hint: 'repeat the call',
  })
  const reply = errorReply(error, 'control')
  const named = active ? { name: active.name, address: active.address } : null
  const health = { status, ready: false, reason, active: named, version: VERSION }
  const body = { ...Object(reply.body), ...(isHealth(request) && health) }
  return jsonResponse(reply.status, JSON.stringify(body), RETRY_SOON)
}
