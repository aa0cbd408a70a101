import { createCalls, type Call } from '../requests.ts'
import { answerAsks } from './answer-asks.ts'

/** A message that requests calls. A separate process sends the calls, so that the measuring process stays idle. */
export interface CallerAsk {
  readonly origin: string
  readonly call: Call
  readonly connections: number
  readonly forMs: number
}

answerAsks(async ({ origin, call, connections, forMs }: CallerAsk) => {
  const { side, close } = createCalls(origin, call, connections)
  const rate = await side(forMs)
  await close()
  return { rate }
})
