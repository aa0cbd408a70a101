import type { Exchange, HttpMessage, Outcome, Transport } from '../../sandbox/engine/core/ports.ts'

export type Script = (message: HttpMessage, index: number) => number | Outcome | Promise<number | Outcome>

export interface ScriptedTransport extends Transport {
  readonly messages: readonly HttpMessage[]
  readonly deadlinesMs: readonly number[]
}

export function scriptedTransport(script: Script = () => 200): ScriptedTransport {
  const messages: HttpMessage[] = []
  const deadlinesMs: number[] = []
  return {
    messages,
    deadlinesMs,
    async post(message, deadlineMs): Promise<Exchange> {
      messages.push(message)
      deadlinesMs.push(deadlineMs)
      const answer = await script(message, messages.length - 1)
      const outcome = typeof answer === 'number' ? answered(answer) : answer
      return { outcome, timings: { connectedMs: 0, answeredMs: 0, totalMs: 0 }, flags: [] }
    },
  }
}

export function answered(status: number): Outcome {
  return { kind: 'answered', status, headers: [], body: new Uint8Array() }
}
