/** Such as `0.84 ms`, `12.3 ms`, `340 ms` or `2.1 s`. */
export function formatDuration(durationMs: number | null): string {
  if (durationMs === null) return '-'
  if (durationMs >= 10_000) return `${Math.round(durationMs / 1_000)} s`
  if (durationMs >= 1_000) return `${(durationMs / 1_000).toFixed(1).replace('.0', '')} s`
  if (durationMs >= 100) return `${Math.round(durationMs)} ms`
  return `${durationMs >= 10 ? durationMs.toFixed(1) : durationMs.toFixed(2)} ms`
}

/** The same for a round number: `1 ms`, `10 s`. */
export function formatRound(durationMs: number): string {
  return durationMs >= 1_000 ? `${durationMs / 1_000} s` : `${durationMs} ms`
}
