import { once } from 'node:events'
import { openCertificateAuthority } from '../adapters/certificate-authority.ts'
import type { Listener } from '../adapters/node-server.ts'
import {
  createCandidate,
  type CandidateOptions,
  type Held,
  type StandbyState,
} from '../adapters/standby/candidate.ts'
import { RETRY_SOON } from '../api/http/pipeline.ts'
import { jsonResponse, type HttpRequest, type RequestHandler } from '../engine/core/http.ts'
import { VERSION } from '../engine/core/version.ts'
import type { StorageError } from '../engine/state/storage-error.ts'
import type { Confirmed, ListenerName, ServeHost, ServeOptions } from './serve-options.ts'
import { createHost, serveSandbox, toUrls, undo, type ServedSandbox } from './serve-sandbox.ts'

export interface StandbyOptions extends Omit<CandidateOptions, 'member' | 'waiting'> {
  readonly signal: AbortSignal
  readonly member: (benchUrl: string) => CandidateOptions['member']
  readonly onListening: (urls: ReturnType<typeof toUrls>) => void
  /** Called without an argument when this process starts to serve. Called with the reason when the process must stop. */
  readonly onRole: (lost?: StorageError) => void
}

const GRACE_MS = 2_000

/** Serves the sandbox while this process holds the lease. Resolves on abort. Rejects with ListenError or StorageError. */
export async function serveStandby(options: ServeOptions, standby: StandbyOptions): Promise<void> {
  const waiting: StandbyState = {}
  const doors = createDoors(waiting)
  const cleanups: (() => unknown)[] = []
  try {
    const host = await createHost(options, await openCertificateAuthority(options.caFolder))
    const open = async (door: ListenerName) => {
      const listener = await host.listen(door, doors.handler(door))
      cleanups.push(() => listener.close(GRACE_MS))
      return listener
    }
    const listeners = { service: await open('service'), bench: await open('bench') }
    const member = standby.member(listeners.bench.publicUrl)
    const candidate = await createCandidate({ ...standby, waiting, member })
    cleanups.push(candidate.close)
    standby.onListening(toUrls(listeners.service, listeners.bench))
    while (!standby.signal.aborted) {
      const held = await candidate.take(standby.signal)
      if (held) await serve({ ...options, host: doors.host(held, listeners) }, held, { ...standby, doors })
    }
  } finally {
    await undo(cleanups)
  }
}

type Shift = StandbyOptions & { readonly doors: ReturnType<typeof createDoors> }

async function serve(options: ServeOptions, { term, release }: Held, shift: Shift): Promise<void> {
  const { doors, onRole, path, signal } = shift
  let sandbox: ServedSandbox | undefined
  try {
    sandbox = await serveSandbox({ ...options, storePath: path })
    onRole()
    if (!signal.aborted) await Promise.race([term.ended, once(signal, 'abort')])
  } catch (error) {
    if (!term.problem) throw error
  } finally {
    doors.close(term.problem)
    if (term.problem) onRole(term.problem)
    // Ignores the error if the lease was lost, because the last changes then cannot be stored.
    await sandbox?.close().catch((error: unknown) => term.problem ?? options.onError('close', error))
    await release()
  }
}

function createDoors(waiting: StandbyState) {
  const handlers = new Map<ListenerName, RequestHandler>()
  return {
    handler: (door: ListenerName) => async (request: HttpRequest) =>
      handlers.get(door)?.(request) ?? refuse(request, waiting),
    /** Creates a host whose `close` does nothing, because the listeners stay open while the process has no lease. */
    host: ({ openDisk, term }: Held, listeners: Readonly<Record<ListenerName, Listener>>): ServeHost => ({
      openDisk,
      async listen(door, handle, confirmed) {
        handlers.set(door, confirming(handle, confirmed, term))
        return { ...listeners[door], close: async () => {} }
      },
    }),
    close(trouble: StorageError | undefined): void {
      handlers.clear()
      Object.assign(waiting, { active: undefined, trouble })
    },
  }
}

/** Delays each response until PostgreSQL has stored all visible changes. Health responses are immediate. */
function confirming(handle: RequestHandler, confirmed: Confirmed, term: Held['term']): RequestHandler {
  const findProblem = async () => {
    await confirmed()?.catch(() => {})
    return term.problem
  }
  return async (request) => {
    if (isHealth(request) && term.trouble) return refuse(request, { trouble: term.trouble })
    const response = await handle(request)
    const trouble = await findProblem()
    if (trouble) return refuse(request, { trouble })
    if (!(response.body instanceof ReadableStream)) return response
    const held = new TransformStream<Uint8Array, Uint8Array>({
      async transform(piece, controller) {
        const problem = await findProblem()
        if (problem) throw problem
        controller.enqueue(piece)
      },
    })
    return { ...response, body: response.body.pipeThrough(held) }
  }
}

const isHealth = ({ path }: HttpRequest) => path === '/control/health'

function refuse(request: HttpRequest, { active, trouble }: StandbyState) {
  const serving = active
    ? `"${active.name}" serves the sandbox, at ${active.address}`
    : 'no process serves the sandbox yet'
  const status = trouble ? 'storage_away' : 'standby'
  const reason = trouble?.message ?? `This process is a standby: ${serving}`
  const error = { code: status, message: reason, hint: 'repeat the call' }
  const named = active ? { name: active.name, address: active.address } : null
  const health = { status, ready: false, reason, active: named, version: VERSION }
  return jsonResponse(503, JSON.stringify({ error, ...(isHealth(request) && health) }), RETRY_SOON)
}
