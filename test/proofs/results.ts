import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus } from 'node:os'
import type { Proof } from './proofs.ts'

/** One run of a proof, or the part of it that was run until it was stopped. */
export interface ProofRun {
  /** The id of the proof. */
  readonly proof: Proof['id']
  /** The number of the first case: a seed, a kill point. Cases are numbered from 0. */
  readonly from: number
  /** How many cases were tried from there on. */
  readonly cases: number
  /** One line for each case that failed, with what repeats it. */
  readonly failures: readonly string[]
  readonly seconds: number
  /** What was measured beside, in words: "p99 12 ms, memory 140 MB at the end". */
  readonly detail?: string
}

/** A run as it is kept: a line of results.jsonl. */
export interface KeptRun extends ProofRun {
  readonly day: string
  readonly machine: string
}

const RESULTS = new URL('results.jsonl', import.meta.url)

/** Keeps a run. Call it for each part that is done, so that what was tried before a stop counts. */
export function recordRun(run: ProofRun): void {
  const kept: KeptRun = { ...run, day: new Date().toISOString().slice(0, 10), machine: machine() }
  appendFileSync(RESULTS, `${JSON.stringify(kept)}\n`)
}

/** The runs that are kept, oldest first. */
export function readRuns(): readonly KeptRun[] {
  if (!existsSync(RESULTS)) return []
  const lines = readFileSync(RESULTS, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only recordRun writes it
  return lines.map((line) => JSON.parse(line) as KeptRun)
}

/** The number of the first case that no kept run has tried: where a proof goes on. */
export function nextCase(proof: Proof['id'], runs = readRuns()): number {
  const ends = runs.filter((run) => run.proof === proof).map((run) => run.from + run.cases)
  return Math.max(0, ...ends)
}

function machine(): string {
  const model = (cpus()[0]?.model ?? arch()).replaceAll(/\s+/g, ' ').trim()
  return `${availableParallelism()} cores of ${model}, Node ${process.versions.node}`
}
