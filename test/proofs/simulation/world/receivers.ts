import type { Exchange, Message, Outcome, Transport } from '../../../../sandbox/engine/core/ports.ts'
import { answered } from '../../../support/scripted-transport.ts'
import type { Post } from './history.ts'

/**
 * What a receiver does with a notification the first time that it gets it, the second time and so on, from the beginning again
 * at the end; so it does not depend on what else it gets. One that does always the same does it with test POSTs, too; others
 * answer those with success.
 */
export type Behaviour = readonly Reaction[]

export type Reaction = number | 'reset' | 'refused' | 'hang' | 'large'

export interface ReceiversPorts {
  readonly behaviourAtFirst: (url: string) => Behaviour
  /** Whether it never answers a notification, whatever else is said of it. */
  readonly hangs: (url: string) => boolean
  /** Keeps the POST as it arrives. */
  readonly receive: (message: Message) => Post
  /** Runs it when the run comes to it. */
  readonly later: (run: () => void) => void
  /** Runs it after so much real time, if nothing else happens any more. */
  readonly after: (delayMs: number, run: () => void) => void
  readonly end: (post: Post, outcome: Outcome) => void
}

export interface Receivers {
  /** From now on this one behaves so. */
  set(url: string, behaviour: Behaviour): void
  /** The way to them of a process; once that is gone, nothing arrives, and no answer comes. */
  transport(isAlive: () => boolean): Transport
}

const LARGE = new Uint8Array(64 * 1_024).fill(0x61)

/** Receivers behind the transport port, each independent of the others, whose answers come when the run lets them. */
export function createReceivers(ports: ReceiversPorts): Receivers {
  const behaviourByUrl = new Map<string, Behaviour>()
  const timesByBody = new Map<string, number>()

  function react(post: Post): Reaction {
    const { url, body } = post
    const behaviour = behaviourByUrl.get(url) ?? ports.behaviourAtFirst(url)
    if (isTestPost(post)) return (behaviour.length === 1 ? behaviour[0] : undefined) ?? 200
    if (ports.hangs(url)) return 'hang'
    const key = `${url} ${body}`
    const times = timesByBody.get(key) ?? 0
    timesByBody.set(key, times + 1)
    return behaviour[times % behaviour.length] ?? 200
  }

  return {
    set: (url, behaviour) => void behaviourByUrl.set(url, behaviour),
    transport: (isAlive) => ({
      post(message, deadlineMs) {
        const { promise, resolve } = Promise.withResolvers<Exchange>()
        if (!isAlive()) return promise
        const post = ports.receive(message)
        const reaction = react(post)
        const answer = () => {
          const outcome = toOutcome(reaction)
          ports.end(post, outcome)
          resolve({ outcome, timings: { connectedMs: 0, answeredMs: 0, totalMs: 0 }, flags: [] })
        }
        if (reaction === 'hang') ports.after(deadlineMs, answer)
        else ports.later(answer)
        return promise
      },
    }),
  }
}

export function isTestPost({ body }: Pick<Post, 'body'>): boolean {
  return body.startsWith('{"message":')
}

function toOutcome(reaction: Reaction): Outcome {
  switch (reaction) {
    case 'reset':
      return { kind: 'unanswered', reason: 'reset', message: 'The connection was reset' }
    case 'refused':
      return { kind: 'unanswered', reason: 'connect_refused', message: 'The connection was refused' }
    case 'hang':
      return { kind: 'unanswered', reason: 'header_timeout', message: 'No answer within the deadline' }
    case 'large':
      return { kind: 'answered', status: 503, headers: [['x-long', 'y'.repeat(8_000)]], body: LARGE }
    default:
      return answered(reaction)
  }
}
