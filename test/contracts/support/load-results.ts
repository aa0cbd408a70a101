import { createConnectionPlaces } from '../../../contracts/load/connection-places.ts'
import type { LoadResult } from '../../../contracts/load/conclusion.ts'
import { createRecorder, type LoadResponse } from '../../../contracts/load/measurements.ts'

export function loadResult(given: Partial<LoadResult> = {}): LoadResult {
  return {
    receiver: 'https://localhost:9443/hooks',
    serviceUrl: 'http://127.0.0.1:4010',
    seed: 7,
    startedAt: '2026-01-01T00:00:00.000Z',
    schedule: { shape: 'steady', rate: 10, durationMs: 1_000 },
    content: 'items=1',
    tookMs: 1_003,
    unreached: null,
    measurements: measured(),
    connections: createConnectionPlaces(512, { longMs: 1_000 }).result(),
    comparison: { kind: 'compared', objects: 10, compared: 10, differences: [] },
    ...given,
  }
}

interface Given {
  readonly answers?: readonly LoadResponse[]
  readonly latencyMs?: number
  readonly answerMs?: number
  readonly lagMs?: number
  readonly wakeMs?: number
  readonly unsent?: { readonly unmade: number; readonly unplaced: number }
}

/** Returns measurements. Defaults to ten accepted deliveries with a latency of one millisecond. */
export function measured({
  answers,
  latencyMs = 1,
  answerMs = latencyMs,
  lagMs = 0,
  wakeMs = 0,
  unsent = { unmade: 0, unplaced: 0 },
}: Given = {}) {
  const recorder = createRecorder(1_000)
  const all = answers ?? Array.from({ length: 10 }, (): LoadResponse => ({ kind: 'status', status: 204 }))
  for (const [index, answer] of all.entries()) {
    const dueMs = index * 100
    recorder.offer(dueMs)
    recorder.wake(wakeMs)
    const endedMs = dueMs + latencyMs
    recorder.end({ dueMs, readyMs: dueMs + lagMs, sentMs: endedMs - answerMs, endedMs, answer })
  }
  return { ...recorder.result(), unsent }
}
