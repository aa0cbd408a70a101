import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readOptions } from '../../support/script-options.ts'
import { keepSeed, recordPart, recordSeeds } from '../results.ts'
import { catchBug, type CaughtBug, PLANTED_BUGS, writePlantedBugs } from './planted/catch-bug.ts'
import { formatFailedSeed, trySeed } from './variants.ts'

const USAGE = `npm run sim                     the regression seeds, then 1,000 seeds from HOOKBENCH_TEST_SEED or a new one on
npm run sim -- --seeds 10000    the number of new seeds
npm run sim -- --seed 12        one seed; a failure is shrunk to the smallest plan that shows it
npm run sim -- --planted        catches every planted bug, and writes which invariant found which
npm run sim -- --processes 1    fewer processes than there are processors`

const PART = 500

const { values } = readOptions({
  usage: USAGE,
  options: {
    seeds: { type: 'whole', least: 1, default: 1_000 },
    seed: { type: 'whole', least: 0 },
    from: { type: 'whole', least: 0 },
    processes: { type: 'whole', least: 1, default: availableParallelism() },
    planted: { type: 'flag' },
    worker: { type: 'flag' },
  },
})

async function trySeeds(seeds: Iterable<number>): Promise<readonly string[]> {
  const failures: string[] = []
  for (const seed of seeds) {
    const failed = await trySeed(seed)
    if (!failed) continue
    keepSeed('simulation', seed)
    console.error(formatFailedSeed(failed))
    failures.push(`seed ${seed}: ${[...new Set(failed.violations.map(({ id }) => id))].join(', ')}`)
  }
  return failures
}

const listSeeds = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

async function tryShared(from: number, count: number): Promise<readonly string[]> {
  const processes = Math.min(values.processes, count)
  if (processes <= 1) return trySeeds(listSeeds(from, count))
  const startOf = (index: number) => from + Math.floor((count * index) / processes)
  const shares = Array.from({ length: processes }, (_, index) =>
    inProcess(startOf(index), startOf(index + 1) - startOf(index)),
  )
  return (await Promise.all(shares)).flat()
}

async function inProcess(from: number, count: number): Promise<readonly string[]> {
  const args = ['--worker', '--from', String(from), '--seeds', String(count)]
  const child = fork(fileURLToPath(import.meta.url), args)
  const failures: string[] = []
  child.on('message', (message) => failures.push(...(message as readonly string[])))
  const [code] = await once(child, 'exit')
  return code === 0 ? failures : [...failures, `the process for seeds from ${from} ended with ${code}`]
}

const MAX_SEEDS = 400

async function catchAll() {
  const caught: CaughtBug[] = []
  const failures: string[] = []
  for (const bug of PLANTED_BUGS) {
    const found = await catchBug(bug, MAX_SEEDS)
    if (found) caught.push(found)
    else failures.push(`${bug.id} is not found by ${MAX_SEEDS} seeds`)
    console.log(found ? `${bug.id}: seed ${found.seed}, ${found.invariants.join(', ')}` : failures.at(-1))
  }
  await writePlantedBugs(caught)
  return { cases: PLANTED_BUGS.length, failures }
}

if (values.worker) {
  const failures = await trySeeds(listSeeds(values.from ?? 0, values.seeds))
  process.send?.(failures)
} else if (values.planted) await recordPart({ proof: 'planted-bugs' }, catchAll)
else if (values.seed === undefined)
  await recordSeeds({ proof: 'simulation', cases: values.seeds, partSize: PART }, async (from, count) => ({
    failures: await tryShared(from, count),
  }))
else {
  const failures = await trySeeds([values.seed])
  if (failures.length === 0) console.log(`Seed ${values.seed} shows nothing that must not be`)
  else process.exitCode = 1
}
