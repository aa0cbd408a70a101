import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Opening } from './sandbox.ts'

export interface Child {
  readonly pid: number
  ask<Answer>(message: unknown): Promise<Answer>
  end(): Promise<void>
}

/** Starts a program in `processes/`. The garbage collector of the started process uses a single thread. */
export async function startChild(name: string): Promise<Child> {
  const child = fork(new URL(`processes/${name}.ts`, import.meta.url), {
    execArgv: ['--single-threaded-gc'],
  })
  await nextMessage(name, child)
  return {
    pid: child.pid ?? 0,
    ask<Answer>(message: unknown) {
      const answered = nextMessage<Answer>(name, child)
      child.send(message as object)
      return answered
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

export interface OpenChild extends Child {
  readonly serviceUrl: string
  readonly benchUrl: string
}

/** Opens a sandbox in its own process. */
export async function openChild(opening: Opening): Promise<OpenChild> {
  const child = await startChild('sandbox')
  return { ...child, ...(await child.ask<Omit<OpenChild, keyof Child>>({ do: 'open', opening })) }
}

async function nextMessage<Message>(name: string, child: ChildProcess): Promise<Message> {
  const ended = new AbortController()
  const messages = once(child, 'message', { signal: ended.signal })
  const exits = once(child, 'exit', { signal: ended.signal })
  const [first]: Message[] = await Promise.race([messages, exits])
  ended.abort()
  messages.catch(() => {})
  exits.catch(() => {})
  if (typeof first !== 'object' || first === null)
    throw new Error(`Cannot measure: process "${name}" ended with ${child.exitCode ?? child.signalCode}`)
  return first
}
