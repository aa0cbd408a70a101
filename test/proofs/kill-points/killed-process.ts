import { callAt } from '../../support/world-client.ts'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openDataFolder } from '../../../sandbox/adapters/data-folder.ts'
import { openCertificateAuthority } from '../../../sandbox/adapters/certificate-authority.ts'
import { answered } from '../../support/scripted-transport.ts'
import { openWorkshop, type Up } from '../../support/program.ts'
import type { Answer, Call, Crash, History, Post } from '../simulation/world/history.ts'
import { serveHttp, type TestServer } from '../../support/scripted-server.ts'

/** A process of `hookbench up` with its own data folder and a receiver. The process is started again after each kill. */
export interface KilledProcess extends Pick<History, 'posts' | 'calls' | 'crashes'> {
  readonly storePath: string
  readonly receiverUrl: (type: string) => string
  /** Sets the receiver's response. `times` counts earlier POSTs with the same body. */
  answer(reaction: (times: number) => number): void
  start(): Promise<void>
  /** Calls the service, or the control API if the path starts with `/control`. Returns undefined if the process ends first. */
  call(method: string, path: string, body?: unknown): Promise<Answer | undefined>
  /** Kills the process after this number of POSTs and responses. */
  killAfter(signs: number): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

const TOKEN = '6f1c0de4b7a95823d0e1f4a7c3b29865'
const GRANT = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' }

export async function openKilledProcess(): Promise<KilledProcess> {
  const workshop = openWorkshop({ HOOKBENCH_TOKEN: TOKEN })
  const data = join(workshop.folder, '.hookbench')
  const [posts, calls, crashes]: [Post[], Call[], Crash[]] = [[], [], []]
  let ticks = 0
  let incarnation = 0
  let up: Up | undefined
  let bearer = ''
  let reaction = (_: number) => 200
  let signs = 0
  let onSign = () => {}

  function sign(): void {
    signs++
    onSign()
  }

  const timesByBody = new Map<string, number>()
  const { caFolder, storePath } = openDataFolder(data)
  const server = await openServer(caFolder, (url, body, end) => {
    const post: Post = { tick: ++ticks, at: 0, url: receiver + url, body, headers: {}, incarnation }
    posts.push(post)
    sign()
    const times = timesByBody.get(url + body) ?? 0
    timesByBody.set(url + body, times + 1)
    const status = body.startsWith('{"message":') ? 200 : reaction(times)
    end(status, () => {
      post.outcome = answered(status)
      post.endTick = ++ticks
    })
  })
  const receiver = server.origin

  async function send(method: string, path: string, body: unknown) {
    const isBench = path.startsWith('/control')
    return callAt(`${String(up?.ready[isBench ? 'bench_url' : 'service_url'])}${path}`, {
      method,
      body,
      headers: { authorization: `Bearer ${isBench ? TOKEN : bearer}` },
    })
  }

  async function kill(): Promise<void> {
    await up?.end('SIGKILL')
    crashes.push({ tick: ++ticks, kind: 'killed', incarnation, kept: 0 })
  }

  return {
    storePath,
    receiverUrl: (type) => `${receiver}/webhooks/${type}/3f9c1d2ab47e8050`,
    posts,
    calls,
    crashes,
    answer(next) {
      reaction = next
    },
    async start() {
      incarnation++
      up = await workshop.up('--clock', 'manual')
      bearer = (await send('POST', '/tokens', GRANT)).body.access_token
    },
    async call(method, path, body) {
      const made: Call = { tick: ++ticks, method, path, body, incarnation, lengthBefore: 0, overlapped: true }
      calls.push(made)
      try {
        made.answer = { ...(await send(method, path, body)), tick: ++ticks, length: 0, now: 0 }
      } catch {
        return undefined
      }
      sign()
      return made.answer
    },
    async killAfter(count) {
      const last = signs + count
      const reached = Promise.withResolvers<void>()
      onSign = () => signs >= last && reached.resolve()
      await reached.promise
      onSign = () => {}
      await kill()
    },
    kill,
    async stop() {
      const code = await up?.end('SIGTERM')
      if (code !== 0) throw new Error(`The sandbox ended with ${String(code)}`)
    },
    async close() {
      void server.close()
      await workshop.close()
    },
  }
}

type Receive = (url: string, body: string, end: (status: number, onEnd: () => void) => void) => void

async function openServer(caFolder: string, receive: Receive): Promise<TestServer> {
  const ca = await openCertificateAuthority(caFolder)
  const { certificatePem: cert, privateKeyPem: key } = await ca.issue(['localhost'])
  return serveHttp(
    (request, response) => {
      void text(request).then((body) =>
        receive(request.url ?? '', body, (status, onEnd) => void response.writeHead(status).end(onEnd)),
      )
    },
    { cert, key },
  )
}
