import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../sandbox/internal.ts'
import { ReceiverError, type SharedRun } from './shared-run.ts'
import type { Config } from '../config/config.ts'

/** Returns a run in a Node process, which the first test starts. Throws UsageError if the effects option is a function. */
export function runInNode(
  run: SharedRun,
  { config, repeat, program }: RunOrder & { readonly program: URL },
): SharedRun {
  if (Reflect.has(Object(config.effects), 'function'))
    throw new UsageError(
      'Cannot use "effects.function" here: the checks run in a process of Node. Use effects.http, command or sink',
    )
  let started: NodeRun | undefined
  const ask = (request: Omit<RunRequest, 'number'>) =>
    (started ??= startNode(program, { config, repeat })).ask(request)
  return {
    ...run,
    open: async () => void (await ask({ act: 'open' })),
    test: ({ id }) => ask({ act: 'test', id }),
    // If the run never opened, there is no conclusion.
    conclude: async () => void (started && (await ask({ act: 'conclude' }))),
    async close() {
      await started?.end()
    },
  }
}

type Pending = PromiseWithResolvers<string | undefined>

function startNode(program: URL, order: RunOrder) {
  const child = spawn('node', [fileURLToPath(program)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const pending = new Map<number, Pending>()
  const ended = Promise.withResolvers<void>()
  let failure: Error | undefined
  const fail = (why: string) => {
    const error = (failure ??= new Error(`Cannot run the checks: ${why}`))
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }
  const end = (why: string) => {
    fail(why)
    ended.resolve()
  }
  child.on('error', ({ message }) =>
    end(`Node could not be started (${message}). Install Node 22.19 or newer, and put "node" into the PATH`),
  )
  child.on('close', (code) => end(`the process of Node ended with code ${code}`))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = readReply(line)
    if (!reply) {
      fail(`the process of Node printed an invalid answer: ${JSON.stringify(line.slice(0, 500))}`)
      // The Node process closes the run when its input ends.
      child.stdin.end()
      return
    }
    settle(pending.get(reply.number), reply)
    pending.delete(reply.number)
  })
  const write = (line: RunOrder | RunRequest) => child.stdin.write(`${JSON.stringify(line)}\n`)
  // The exit handler of the process reports lost requests.
  child.stdin.on('error', () => undefined)
  write(order)
  let number = 0
  return {
    ask(request: Omit<RunRequest, 'number'>) {
      if (failure) return Promise.reject(failure)
      const asked: Pending = Promise.withResolvers()
      pending.set(++number, asked)
      write({ number, ...request })
      return asked.promise
    },
    end() {
      child.stdin.end()
      return ended.promise
    },
  }
}

type NodeRun = ReturnType<typeof startNode>

function readReply(line: string): RunReply | undefined {
  try {
    const reply: RunReply | null = JSON.parse(line)
    return typeof reply?.number === 'number' ? reply : undefined
  } catch {
    return undefined
  }
}

function settle(asked: Pending | undefined, { reason, error }: RunReply): void {
  if (!error) return asked?.resolve(reason)
  if (error.name === 'ReceiverError') return asked?.reject(new ReceiverError(error.message))
  asked?.reject(Object.assign(new Error(error.message), { name: error.name }))
}

export interface RunOrder {
  readonly config: Config
  /** The command that repeats one test. `{id}` is the check id. */
  readonly repeat: string
}

export interface RunRequest {
  readonly number: number
  readonly act: 'open' | 'test' | 'conclude' | 'close'
  readonly id?: string
}

/** The reply to a request. The order of the replies is not fixed. */
export interface RunReply {
  readonly number: number
  /** The reason for skipping the test. */
  readonly reason?: string | undefined
  readonly error?: { readonly name: string; readonly message: string }
}
