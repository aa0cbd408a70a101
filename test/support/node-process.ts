import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** `hookbench up --store …` as a process, which may be killed, stopped and started again on its data folder. */
export interface NodeProcess {
  readonly name: string
  readonly benchUrl: string
  readonly serviceUrl: string
  /** Of the process that was started last. */
  readonly pid: number
  /** Whether it is there and is not stopped. */
  readonly isUp: boolean
  /** Starts it; it must not run. */
  start(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** SIGSTOP, until `wake`. */
  pause(): void
  wake(): void
  /** SIGTERM, and what it said on stderr all the time. */
  end(): Promise<string>
}

export interface NodeProcessOptions {
  readonly name: string
  readonly data: string
  readonly store: string
  readonly leaseMs: number
}

const PROGRAM = fileURLToPath(new URL('../../bin/hookbench.js', import.meta.url))

export function nodeProcess({ name, data, store, leaseMs }: NodeProcessOptions): NodeProcess {
  let child: ChildProcess | undefined
  let isPaused = false
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
      return child !== undefined && !isPaused
    },
    async start() {
      const args = ['up', '--json', '--port', '0', '--bench-port', '0', '--data', data]
      const own = ['--node', name, '--lease', `${leaseMs}ms`]
      child = spawn(process.execPath, [PROGRAM, ...args, ...own], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, HOOKBENCH_STORE: store },
      })
      child.stderr?.on('data', (piece: Buffer) => (said += piece.toString()))
      const ended = once(child, 'exit').then(() => {
        throw new Error(`Node "${name}" has ended before it was ready: ${said}`)
      })
      if (!child.stdout) throw new Error('It has no output')
      const ready = once(createInterface(child.stdout), 'line').then(([line]) =>
        Object.assign(addresses, JSON.parse(String(line))),
      )
      ended.catch(() => {})
      await Promise.race([ready, ended])
    },
    kill: () => stop('SIGKILL'),
    pause() {
      isPaused = true
      child?.kill('SIGSTOP')
    },
    wake() {
      isPaused = false
      child?.kill('SIGCONT')
    },
    async end() {
      if (isPaused) child?.kill('SIGCONT')
      await stop('SIGTERM')
      return said
    },
  }
}
