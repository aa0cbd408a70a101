import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { TestCertificate } from './certificates.ts'
import { PROGRAM_COMMAND } from './installed-package.ts'
import { serveHttp, type TestServer } from './scripted-server.ts'

interface Workshop {
  readonly folder: string
  run(...args: readonly string[]): Promise<Ended>
  /** Runs the program and parses its output as JSON. Throws if the program fails. */
  json<Printed>(...args: readonly string[]): Promise<Printed>
  /** Starts `up --json` on free ports. Resolves when the started sandbox is ready. */
  up(...args: readonly string[]): Promise<Up>
  start(...args: readonly string[]): Lasting
  /** Issues a certificate for localhost with the CA of the data folder. */
  certificate(...options: readonly string[]): Promise<TestCertificate>
  /** Starts a receiver. `certificate` defaults to a certificate from the CA of the data folder. */
  receiver(certificate?: TestCertificate): Promise<Receiver>
  /** Kills the programs. Removes the folder after the programs have ended, because a running program could still create files. */
  close(): Promise<void>
}

export interface Lasting {
  /** Waits for the first line that matches. Rejects if the process ends first. */
  line(pattern: RegExp): Promise<string>
  find(isMeant: (line: string) => boolean): Promise<string>
  /** Ends the process. Resolves with the exit code, or null after a signal. */
  end(...signals: readonly NodeJS.Signals[]): Promise<number | null>
  ended(): Promise<Omit<Ended, 'stdout'>>
}

type Child = ChildProcessByStdio<null, Readable, Readable>

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Up extends Pick<Lasting, 'end' | 'ended'> {
  readonly pid: number | undefined
  readonly ready: Event
  /** Waits for the first event with `fields`. Rejects if the process ends first. */
  event(fields: Event): Promise<Event>
}

type Event = Readonly<Record<string, unknown>>

type Answer = number | 'never' | Promise<number>

export interface Receiver {
  readonly url: string
  readonly received: readonly string[]
  readonly answers: Answer[]
  status: number
}

/** Opens a folder in which tests run the program. `through` is a command that starts the program, for example with resource limits. */
export function openWorkshop(
  variables: Readonly<Record<string, string>> = {},
  through: readonly string[] = [],
): Workshop {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookbench-program-')))
  const children: Child[] = []
  const servers: TestServer[] = []

  function start(args: readonly string[]): Child {
    // The test run's own variables may select another sandbox or request colours.
    const env = { PATH: process.env['PATH'], HOME: folder, ...variables }
    const [command = '', ...rest] = [...through, ...PROGRAM_COMMAND, ...args]
    const child = spawn(command, rest, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    return child
  }

  async function run(...args: readonly string[]): Promise<Ended> {
    return untilEnded(start(args))
  }

  async function certificate(...options: readonly string[]): Promise<TestCertificate> {
    await run('cert', 'localhost', ...options)
    const pem = (name: string) => readFileSync(join(folder, `localhost.${name}.pem`), 'utf8')
    return { cert: pem('crt'), key: pem('key') }
  }

  return {
    folder,
    run,
    certificate,
    async json<Printed>(...args: readonly string[]) {
      const { stdout, stderr } = await run(...args, '--json')
      if (stdout === '') throw new Error(`${args.join(' ')}: ${stderr}`)
      return JSON.parse(stdout) as Printed
    },
    up: (...args) => upOf(start(['up', '--json', '--port', '0', '--bench-port', '0', ...args])),
    start: (...args) => followLines(start(args)),
    async receiver(given) {
      const { server, receiver } = await receiverOf(given ?? (await certificate()))
      servers.push(server)
      return receiver
    },
    async close() {
      for (const child of children) child.kill('SIGKILL')
      for (const server of servers) void server.close()
      await Promise.all(children.map(untilExited))
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Reads the output of a program until the program ends. */
export async function untilEnded(child: Child): Promise<Ended> {
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

async function untilExited(child: Child): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    await once(child, 'exit')
}

function followLines(child: Child): Lasting {
  const lines: string[] = []
  const stderr = text(child.stderr)
  const ended = once(child, 'close')
  let more = waiting()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    more.resolve()
    more = waiting()
  })
  void ended.then(async () => more.reject(new Error(`it ended with ${child.exitCode}: ${await stderr}`)))

  async function find(isMeant: (line: string) => boolean): Promise<string> {
    for (;;) {
      const found = lines.find(isMeant)
      if (found !== undefined) return found
      await more.promise
    }
  }

  return {
    line: (pattern) => find((line) => pattern.test(line)),
    find,
    async end(...signals) {
      for (const signal of signals) child.kill(signal)
      await ended
      return child.exitCode
    },
    async ended() {
      await ended
      return { code: child.exitCode, stderr: await stderr }
    },
  }
}

async function upOf(child: Child): Promise<Up> {
  const { find, end, ended } = followLines(child)
  async function event(fields: Event): Promise<Event> {
    const isMeant = (told: Event) => Object.entries(fields).every(([name, value]) => told[name] === value)
    return JSON.parse(await find((line) => isMeant(JSON.parse(line))))
  }
  return { pid: child.pid, ready: await event({ event: 'ready' }), event, end, ended }
}

/** Creates a promise whose rejection needs no handler. */
function waiting(): PromiseWithResolvers<void> {
  const resolvers = Promise.withResolvers<void>()
  resolvers.promise.catch(() => {})
  return resolvers
}

async function receiverOf(certificate: TestCertificate) {
  const received: string[] = []
  const receiver = { url: '', received, answers: [] as Answer[], status: 204 }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    received.push(await text(request))
    const status = await (receiver.answers.shift() ?? receiver.status)
    if (status !== 'never') response.writeHead(status).end()
  }
  const server = await serveHttp((request, response) => void answer(request, response), certificate)
  receiver.url = `${server.origin}/hooks/5f0c`
  return { server, receiver }
}
