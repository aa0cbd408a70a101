import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Proof } from './proofs.ts'

/** One run of a proof, or the part of it that was run until it was stopped. */
export interface ProofRun {
  /** The id of the proof. */
  readonly proof: Proof['id']
  /** The number of the first case, if the cases are numbered: a seed, a kill point. */
  readonly from?: number
  /** How many cases were tried from there on. */
  readonly cases: number
  /** One line for each case that failed, with the command that repeats it. */
  readonly failures: readonly string[]
  readonly seconds: number
  /** Other measurements, in words: "p99 12 ms, memory 140 MB at the end". */
  readonly detail?: string
}

/** A run as it is kept: a line of results.jsonl. */
export interface KeptRun extends ProofRun {
  /** The design that was tried: see DESIGN. */
  readonly design: string
  /** The abbreviated hash of the commit that was tried. */
  readonly commit: string
  /** The day, as YYYY-MM-DD in UTC. */
  readonly day: string
  readonly machine: string
}

/**
 * The store format and delivery engine that the proofs try. Change it with either of them: results of an earlier design say nothing
 * about the present one, so they are not counted.
 */
const DESIGN = 'tables in SQLite'

const RESULTS = new URL('results.jsonl', import.meta.url)

/** Files that the proofs themselves write. */
const OWN_FILES = [
  'test/proofs/results.jsonl',
  'test/proofs/regression-seeds.json',
  'test/proofs/simulation/planted-bugs.md',
]

/** Keeps a run. Call it after each part, so that the cases before a stop count. A tree with uncommitted changes keeps none. */
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

/** The kept runs of the present design, oldest first. */
export function readRuns(): readonly KeptRun[] {
  if (!existsSync(RESULTS)) return []
  return currentRuns(readFileSync(RESULTS, 'utf8'))
}

/** The runs of the present design in the text of results.jsonl. */
function currentRuns(text: string, design = DESIGN): readonly KeptRun[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as KeptRun).filter((run) => run.design === design)
}

/** The commit of the tree; undefined if anything but the files of the proofs differs from it. */
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

const FILE = fileURLToPath(new URL('regression-seeds.json', import.meta.url))

/** The seeds that failed once. Each run tries them before it draws new ones. */
export function regressionSeeds(proof: SeededProof, file = FILE): readonly number[] {
  return readSeeds(file)[proof]
}

/** Adds a seed that failed to the file, which is committed with the fix. */
export function keepSeed(proof: SeededProof, seed: number, file = FILE): void {
  const seeds = readSeeds(file)
  if (seeds[proof].includes(seed)) return
  const kept = { ...seeds, [proof]: [...seeds[proof], seed] }
  const lines = Object.entries(kept).map(([name, numbers]) => `  "${name}": [${numbers.join(', ')}]`)
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
  console.error(`Seed ${seed} of ${proof} failed; it is kept in test/proofs/regression-seeds.json`)
}

function readSeeds(file: string): Seeds {
  return JSON.parse(readFileSync(file, 'utf8')) as Seeds
}
