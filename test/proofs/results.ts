import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { seedLine, testSeed } from '../support/test-seed.ts'
import type { Proof } from './proofs.ts'

export interface ProofRun {
  readonly proof: Proof['id']
  /** The number of the first case, such as a seed or a kill point. Undefined for cases without numbers. */
  readonly from?: number
  readonly cases: number
  /** A line for each failed case, with the command that repeats the case. */
  readonly failures: readonly string[]
  readonly seconds: number
  /** Further measurements, such as "p99 12 ms, memory 140 MB at the end". */
  readonly detail?: string
}

export interface KeptRun extends ProofRun {
  readonly design: string
  readonly commit: string
  readonly day: string
  readonly machine: string
}

/**
 * The name of the store format and delivery engine that the proofs test. Change this name whenever the design changes, because
 * results of an earlier design do not count.
 */
const DESIGN = 'tables in SQLite'

const RESULTS = new URL('results.jsonl', import.meta.url)

const OWN_FILES = [
  'test/proofs/results.jsonl',
  'test/proofs/regression-seeds.json',
  'test/proofs/simulation/planted-bugs.md',
]

/**
 * Saves the result of each part immediately, so that the results of an interrupted run also count. Saves nothing if there are
 * uncommitted changes.
 */
export function recordRun(run: ProofRun): void {
  const commit = cleanCommit()
  if (commit === undefined) {
    console.log('The result is not kept: the tree has uncommitted changes')
    return
  }
  const day = new Date().toISOString().slice(0, 10)
  const kept: KeptRun = { ...run, design: DESIGN, commit, day, machine: machine() }
  appendFileSync(RESULTS, `${JSON.stringify(kept)}\n`)
}

interface Part extends Pick<ProofRun, 'proof' | 'from'> {
  /** The name in the printed result, such as "Seeds 1 to 500". */
  readonly name?: string
}

type Tried = Pick<ProofRun, 'cases' | 'failures' | 'detail'>

/** Runs one part of a proof, saves and prints its result, and sets the exit code after a failure. */
export async function recordPart<Result extends Tried>(
  { proof, from, name = proof }: Part,
  tryCases: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now()
  const tried = await tryCases()
  const { cases, failures, detail } = tried
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  recordRun({
    proof,
    cases,
    failures,
    seconds,
    ...(from !== undefined && { from }),
    ...(detail !== undefined && { detail }),
  })
  console.log(
    `${name}: ${[detail, `${cases} cases`, `${failures.length} failed`, `${seconds} s`].filter(Boolean).join(', ')}`,
  )
  printFailures(failures)
  return tried
}

interface Seeded {
  readonly proof: SeededProof
  /** The number of new cases. */
  readonly cases: number
  /** The number of cases in a part. Every part except the first starts at a multiple of this size. */
  readonly partSize: number
}

/** Tries the regression seeds of a proof, and then new cases in parts. */
export async function recordSeeds(
  { proof, cases, partSize }: Seeded,
  tryFrom: (first: number, count: number) => Promise<Omit<Tried, 'cases'>>,
): Promise<void> {
  console.log(seedLine)
  for (const seed of regressionSeeds(proof)) printFailures((await tryFrom(seed, 1)).failures)
  const end = testSeed + cases
  for (let from = testSeed; from < end;) {
    const count = Math.min(partSize - (from % partSize), end - from)
    const part = { proof, from, name: `Cases ${from} to ${from + count - 1}` }
    await recordPart(part, async () => ({ cases: count, ...(await tryFrom(part.from, count)) }))
    from += count
  }
}

/** Prints the failures. Sets the exit code to 1 if there are any. */
export function printFailures(failures: readonly string[]): void {
  for (const line of failures) console.error(line)
  if (failures.length > 0) process.exitCode = 1
}

export function readRuns(): readonly KeptRun[] {
  if (!existsSync(RESULTS)) return []
  const lines = readFileSync(RESULTS, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as KeptRun).filter(({ design }) => design === DESIGN)
}

/** Returns the current commit. Undefined if files other than the results have uncommitted changes. */
function cleanCommit(): string | undefined {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--', '.', ...OWN_FILES.map((file) => `:!${file}`))
  return changed === '' ? git('rev-parse', '--short=9', 'HEAD') : undefined
}

function machine(): string {
  const model = (cpus()[0]?.model ?? arch()).replaceAll(/\s+/g, ' ').trim()
  return `${availableParallelism()} cores of ${model}, Node ${process.versions.node}`
}

export type SeededProof = 'agreement' | 'hostile' | 'kill-points' | 'power-loss' | 'simulation'

type Seeds = Readonly<Record<SeededProof, readonly number[]>>

const SEEDS = new URL('regression-seeds.json', import.meta.url)

/** Returns the seeds that every run tests before any new seeds. */
export function regressionSeeds(proof: SeededProof): readonly number[] {
  return readSeeds()[proof]
}

/** Adds a failed seed to the committed regression seeds. */
export function keepSeed(proof: SeededProof, seed: number): void {
  const seeds = readSeeds()
  if (seeds[proof].includes(seed)) return
  const kept = { ...seeds, [proof]: [...seeds[proof], seed] }
  const lines = Object.entries(kept).map(([name, numbers]) => `  "${name}": [${numbers.join(', ')}]`)
  writeFileSync(SEEDS, `{\n${lines.join(',\n')}\n}\n`)
  console.error(`Seed ${seed} of ${proof} failed; it is kept in test/proofs/regression-seeds.json`)
}

function readSeeds(): Seeds {
  return JSON.parse(readFileSync(SEEDS, 'utf8')) as Seeds
}
