import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCertificateAuthority } from '../../sandbox/adapters/certificate-authority.ts'
import type { ServeOptions } from '../../sandbox/compose/serve-options.ts'
import type { ServedSandbox } from '../../sandbox/compose/serve-sandbox.ts'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Answer } from './test-sandbox.ts'
import { serveHttp } from './scripted-server.ts'
import { serveIn } from './stored-sandbox.ts'
import { callsOf } from './world-client.ts'

export interface Received {
  /** The generation from the URL: `webhooks` or `callbacks`. */
  readonly generation: string
  readonly object_type: string
  readonly from: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
  readonly body: any
}

/** A platform: an HTTPS receiver, and a client of the service and the bench. */
export interface Walk {
  readonly folder: string
  readonly sandbox: ServedSandbox
  /** The root token of the control API. */
  readonly token: string
  readonly received: readonly Received[]
  answer(status: (received: Received) => number | Promise<number>): void
  urlFor(generation: string, type: string): string
  service(method: string, path: string, body?: unknown): Promise<Answer>
  bench(method: string, path: string, body?: unknown): Promise<Answer>
  /** Restarts the sandbox with the same store. */
  restart(): Promise<void>
  close(): Promise<void>
}

const ACCESS = { client_id: 'sandbox', client_secret: 'sandbox-secret' }

export async function startWalk(options: Partial<ServeOptions> = {}): Promise<Walk> {
  const { benchToken: token = 'a-token-of-the-run' } = options
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-walk-'))
  const ca = await openCertificateAuthority(join(folder, 'ca'))
  const leaf = await ca.issue(['localhost'])
  const received: Received[] = []
  let status: Parameters<Walk['answer']>[0] = () => 204
  async function take(request: IncomingMessage): Promise<number> {
    const [, generation = '', object_type = ''] = request.url?.split('/') ?? []
    const from = request.socket.remoteAddress
    const body: unknown = await json(request)
    if (typeof body === 'object' && body !== null && 'message' in body) return 200
    const one = { generation, object_type, from, headers: request.headers, body }
    received.push(one)
    return status(one)
  }
  const receiver = await serveHttp(
    (request, response) => void take(request).then((answered) => response.writeHead(answered).end()),
    { cert: leaf.certificatePem, key: leaf.privateKeyPem },
  )
  const open = () => serveIn(folder, { benchToken: token, tokenKey: new Uint8Array(32), ...options })
  let sandbox = await open()
  const { service, control } = callsOf(() => sandbox, { ...ACCESS, control_token: token })

  return {
    folder,
    get sandbox() {
      return sandbox
    },
    token,
    received,
    answer(next) {
      status = next
    },
    urlFor: (generation, type) => `${receiver.origin}/${generation}/${type}/3f9c1d2ab47e8051`,
    service,
    bench: control,
    async restart() {
      await sandbox.close()
      sandbox = await open()
    },
    async close() {
      await sandbox.close()
      await receiver.close()
      rmSync(folder, { recursive: true })
    },
  }
}
