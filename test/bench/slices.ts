/** One of the two programs to compare. Runs for about `forMs` and returns the operations per second. */
export type Side = (forMs: number) => Promise<number>

export interface Comparison {
  readonly ratio: number
  /** The ratio of two measurements of `bare` in the same run. This ratio shows the random variation. */
  readonly self: number
  readonly ours: number
  readonly bare: number
}

const SLICE_MS = 150
/** In its first seconds, a program is slower, because V8 still compiles its code. The rows compare programs that run for long. */
const WARM_UP_MS = 3_000

/** Alternates between the programs, so that other load on the machine affects both equally. Returns the medians of all rounds. */
export async function compareSides(
  { ours, bare }: { readonly ours: Side; readonly bare: Side },
  { rounds = 15, warmUpMs = WARM_UP_MS }: { readonly rounds?: number; readonly warmUpMs?: number } = {},
): Promise<Comparison> {
  await bare(warmUpMs)
  await ours(warmUpMs)
  const taken: { readonly ours: number; readonly before: number; readonly after: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await bare(SLICE_MS)
    const our = await ours(SLICE_MS)
    taken.push({ ours: our, before, after: await bare(SLICE_MS) })
  }
  return {
    ratio: median(taken.map((each) => (2 * each.ours) / (each.before + each.after))),
    self: median(
      taken.map(({ before, after }, round) => (round % 2 === 0 ? before / after : after / before)),
    ),
    ours: median(taken.map((each) => each.ours)),
    bare: median(taken.map(({ before, after }) => (before + after) / 2)),
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

export function percentile99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
}

/** Returns a program that repeats a call, `parallel` at a time, for about `forMs`. Also counts the calls in flight at the end. */
export function repeat(parallel: number, call: () => Promise<unknown>): Side {
  return async (forMs) => {
    let calls = 0
    const startedAt = performance.now()
    const worker = async () => {
      while (performance.now() - startedAt < forMs) {
        await call()
        calls++
      }
    }
    await Promise.all(Array.from({ length: parallel }, worker))
    return (calls / (performance.now() - startedAt)) * 1_000
  }
}
