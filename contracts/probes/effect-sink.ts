import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { EffectProbe, EffectState } from '../toolkit/effects.ts'
import { ProbeError } from '../toolkit/probe-error.ts'
import { findEffectProblems, formatValue, parseJson, toEffectState } from './effect-state.ts'
import { listen } from './local-server.ts'

/** An address on loopback that a platform posts each of its effects to. */
interface EffectSink {
  readonly probe: EffectProbe
  readonly sinkUrl: string
  close(): Promise<void>
}

/** 0 takes any free port. The probe throws ProbeError for an object of which a wrong one was posted. */
export async function openSink(port: number): Promise<EffectSink> {
  const seen = new Map<string, EffectState | ProbeError>()
  const server = createServer((request, response) => {
    const answered = text(request).then((body) => {
      const problem = countEffect(body, seen)
      if (problem === undefined) return response.writeHead(204).end()
      response.writeHead(400, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ error: problem }))
    })
    // A request that breaks off in the middle reports nothing.
    answered.catch(() => response.destroy())
  })
  const { origin, close } = await listen(server, port)
  return {
    async probe(type, id) {
      const state = seen.get(`${type}/${id}`) ?? { effects: 0, state: null }
      if (state instanceof ProbeError) throw state
      return state
    },
    sinkUrl: origin,
    close,
  }
}

const EXAMPLE =
  '{"object_type": "items", "id": "…", "state": "completed", "amount": 120000, "currency": "AUD"}'

/** Counts the effect that a body names; what is wrong with one that cannot be counted. */
function countEffect(body: string, seen: Map<string, EffectState | ProbeError>): string | undefined {
  const value = parseJson(body)
  const { object_type, id, ...fields }: Readonly<Record<string, unknown>> = Object(value)
  if (typeof object_type !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) {
    return `Cannot count an effect: ${formatValue(value ?? body)} names no object; post such as ${EXAMPLE}`
  }
  const key = `${object_type}/${id}`
  const before = seen.get(key)
  if (before instanceof ProbeError) return before.message
  const effect = { state: null, ...fields, effects: (before?.effects ?? 0) + 1 }
  const problems = findEffectProblems(effect)
  if (problems.length === 0) {
    seen.set(key, toEffectState(effect))
    return undefined
  }
  const message = `Cannot count the effect on ${object_type} "${id}" that was posted to effects.sink: ${problems.join('; ')}; post such as ${EXAMPLE}`
  seen.set(key, new ProbeError(message))
  return message
}
