import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface StandbyProcess {
  readonly name: string
  readonly benchUrl: string
  readonly serviceUrl: string
  readonly pid: number
  readonly isUp: boolean
  /** Starts the process with its data folder and its earlier ports. Resolves when the process is listening. */
  start(): Promise<void>
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Sends SIGSTOP. `wake` resumes the process. */
  freeze(): void
  wake(): void
  /** Sends SIGTERM. Returns all output to standard error since the first start. */
  end(): Promise<string>
}

export interface StandbyProcessOptions {
  readonly name: string
  readonly data: string
  readonly store: string
  readonly leaseMs: number
}

export const TOKEN = '9f3c1e7ab2d84c5690e1f7d3a86b425c0d9e8f71'
const PROGRAM = fileURLToPath(new URL('../../bin/hookbench.js', import.meta.url))

export function standbyProcess({ name, data, store, leaseMs }: StandbyProcessOptions): StandbyProcess {
  let child: ChildProcess | undefined
  let isFrozen = false
  let said = ''
  const addresses = { bench_url: '', service_url: '' }

  async function stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ended = child
    child = undefined
    if (!ended || ended.exitCode !== null || ended.signalCode !== null) return
    const exit = once(ended, 'exit')
    ended.kill(signal)
    await exit
  }

  return {
    name,
    get benchUrl() {
      return addresses.bench_url
    },
    get serviceUrl() {
      return addresses.service_url
    },
    get pid() {
      return child?.pid ?? 0
    },
    get isUp() {
      return child !== undefined && !isFrozen
    },
    async start() {
      const { service_url, bench_url } = addresses
      const ports = ['--port', portOf(service_url), '--bench-port', portOf(bench_url)]
      const args = ['up', '--json', ...ports, '--data', data, '--lease', `${leaseMs}ms`]
      child = spawn(process.execPath, [PROGRAM, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, HOOKBENCH_STORE: store, HOOKBENCH_TOKEN: TOKEN },
      })
      child.stderr?.on('data', (piece: Buffer) => (said += piece.toString()))
      const ended = once(child, 'exit').then(() => {
        throw new Error(`Process "${name}" has ended before it listened: ${said}`)
      })
      if (!child.stdout) throw new Error('It has no output')
      const listening = once(createInterface(child.stdout), 'line').then(([line]) =>
        Object.assign(addresses, JSON.parse(String(line))),
      )
      ended.catch(() => {})
      await Promise.race([listening, ended])
    },
    kill: () => stop('SIGKILL'),
    freeze() {
      isFrozen = true
      child?.kill('SIGSTOP')
    },
    wake() {
      isFrozen = false
      child?.kill('SIGCONT')
    },
    async end() {
      if (isFrozen) child?.kill('SIGCONT')
      await stop('SIGTERM')
      return said
    },
  }
}

const portOf = (url: string) => URL.parse(url)?.port ?? '0'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- only the caller knows the type
  readonly body: any
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly token?: string
  readonly patienceMs: number
}

/** Calls the control API of a process, by default with the root token. Rejects if the process does not answer in time. */
export async function callControl({ benchUrl }: StandbyProcess, call: Call): Promise<Answer> {
  const { method, path, body, token = TOKEN, patienceMs } = call
  const response = await fetch(`${benchUrl}/control${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(patienceMs),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
