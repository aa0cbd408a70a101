import { openBenchNode, type NodeOpening } from '../node.ts'
import { registerUrl, sendFor, type BenchWorld } from '../sandbox.ts'
import { answerAsks } from './answer-asks.ts'

/** A node in a process of its own. */
export type NodeAsk =
  | { readonly do: 'open'; readonly opening: NodeOpening }
  | { readonly do: 'register'; readonly url: string }
  | { readonly do: 'send'; readonly forMs: number; readonly parallel: number }
  | { readonly do: 'close' }

/** What a time of sending came to. */
export interface Sent {
  readonly deliveries: number
  readonly tookMs: number
  /** Milliseconds of processor time of this process. */
  readonly processorMs: number
}

let node: BenchWorld | undefined

async function send(
  world: BenchWorld,
  times: { readonly forMs: number; readonly parallel: number },
): Promise<Sent> {
  // Makes the items, which are a platform's work, and sends nothing.
  await sendFor(world, { ...times, parallel: 0 })
  const [before, startedAt] = [process.cpuUsage(), performance.now()]
  const rate = await sendFor(world, times)
  const [{ user, system }, tookMs] = [process.cpuUsage(before), performance.now() - startedAt]
  return { deliveries: (rate * tookMs) / 1_000, tookMs, processorMs: (user + system) / 1_000 }
}

answerAsks(async (ask: NodeAsk) => {
  if (ask.do === 'open') {
    node = await openBenchNode(ask.opening)
    return { benchUrl: node.benchUrl }
  }
  if (!node) throw new Error('Cannot measure: no node is open')
  if (ask.do === 'register') return { id: await registerUrl(node, { url: ask.url, object_type: 'items' }) }
  return ask.do === 'send' ? send(node, ask) : node.close()
})
