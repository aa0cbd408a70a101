import type { AttemptTimings } from '../../../spec/generated/control-types.ts'

/** Returns the phases of an exchange, up to its end. A reused connection has one phase for DNS, connect and TLS. */
export function findPhases(timings: AttemptTimings) {
  const { resolved_ms, reached_ms, connected_ms, answered_ms, total_ms } = timings
  const ready = reached_ms !== undefined ? 'TLS' : resolved_ms === undefined ? 'connection' : 'connect'
  const ends = [
    ['DNS', resolved_ms],
    ['connect', reached_ms],
    [ready, connected_ms],
    ['first byte', answered_ms],
    ['rest of the answer', total_ms],
  ] as const
  const phases: { readonly name: string; readonly fromMs: number; readonly toMs: number }[] = []
  for (const [name, end] of ends) {
    if (end === undefined) continue
    const fromMs = phases.at(-1)?.toMs ?? 0
    const endMs = end ?? total_ms
    if (endMs !== null) phases.push({ name, fromMs, toMs: Math.max(fromMs, endMs) })
    if (end === null) break
  }
  return phases
}
