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
  /** Starts the process with its data folder and its earlier ports. Resolves when the process listens. */
  start(): Promise<void>
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Sends SIGSTOP. `wake` continues the process. */
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
      const ports = [addresses.service_url, addresses.bench_url].map((url) =>
        url === '' ? '0' : new URL(url).port,
      )
      const args = [
        'up',
        '--json',
        '--port',
        ports[0] ?? '0',
        '--bench-port',
        ports[1] ?? '0',
        '--data',
        data,
      ]
      child = spawn(process.execPath, [PROGRAM, ...args, '--lease', `${leaseMs}ms`], {
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
