import type { AttemptTimings } from '../../../spec/generated/control-types.ts'

export interface Phase {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
}

/** Lists the phases of an exchange. The last phase is where it ended. */
export function findPhases(timings: AttemptTimings): readonly Phase[] {
  const { answered_ms, total_ms } = timings
  const ends = [
    ...connectionEnds(timings),
    ['first byte', answered_ms],
    ['rest of the answer', total_ms],
  ] satisfies readonly PhaseEnd[]
  const phases: Phase[] = []
  for (const [name, end] of ends) {
    const fromMs = phases.at(-1)?.toMs ?? 0
    if (end !== null) phases.push({ name, fromMs, toMs: Math.max(fromMs, end) })
    else {
      if (total_ms !== null) phases.push({ name, fromMs, toMs: Math.max(fromMs, total_ms) })
      break
    }
  }
  return phases
}

type PhaseEnd = readonly [name: string, endMs: number | null]

/** Returns the end of each connection phase, or the wait for a kept connection. */
function connectionEnds({ resolved_ms, reached_ms, connected_ms }: AttemptTimings): readonly PhaseEnd[] {
  const looked: readonly PhaseEnd[] = resolved_ms === undefined ? [] : [['DNS', resolved_ms]]
  if (reached_ms !== undefined) return [...looked, ['connect', reached_ms], ['TLS', connected_ms]]
  return [...looked, [looked.length === 0 ? 'connection' : 'connect', connected_ms]]
}

/** `0.4 ms`, `12 ms`, `1.20 s`. */
export function formatMilliseconds(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`
  return ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`
}
