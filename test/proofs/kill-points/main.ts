import { readOptions } from '../../support/script-options.ts'
import { seedLine, testSeed } from '../../support/test-seed.ts'
import { keepSeed, recordRun, regressionSeeds } from '../results.ts'
import {
  countWrites,
  judgeKillPoint,
  judgeReplacement,
  listKillPoints,
  listReplacementPoints,
} from './kill-point.ts'
import { judgeSession, KILLS_A_SESSION } from './session.ts'

const USAGE = `npm run proof -- kill-points                 500 points, of scenarios from HOOKBENCH_TEST_SEED or a new seed on
npm run proof -- kill-points --points 2000   the number of points
npm run proof -- kill-points --scenario 3    every write of one scenario
npm run proof -- kill-points --session 7     one session with a real process`

const PART = 50

const SESSIONS = 2

const { values } = readOptions({
  usage: USAGE,
  options: {
    points: { type: 'whole', least: 1, default: 500 },
    scenario: { type: 'whole', least: 0 },
    session: { type: 'whole', least: 0 },
  },
})

interface Unit {
  readonly points: number
  /** The scenario number. Undefined for a restore or a reset. */
  readonly scenario?: number
  readonly name: string
  readonly judge: () => Promise<readonly string[]>
}

/** Yields units endlessly. Regression seeds come first. */
async function* listUnits(): AsyncGenerator<Unit> {
  for (const point of await listReplacementPoints()) {
    const { by, write, side } = point
    yield { points: 1, name: `${by}, ${side} write ${write}`, judge: () => judgeReplacement(point) }
  }
  for (const scenario of regressionSeeds('kill-points')) yield* listWrites(scenario)
  for (let scenario = testSeed; ; scenario++) {
    yield* listWrites(scenario)
    for (let index = 0; index < SESSIONS; index++)
      yield toSession((scenario - testSeed) * SESSIONS + testSeed + index)
  }
}

async function* listWrites(scenario: number): AsyncGenerator<Unit> {
  for (const point of listKillPoints(scenario, await countWrites(scenario))) {
    const name = `--scenario ${scenario}, ${point.side} write ${point.write}`
    yield { points: 1, scenario, name, judge: () => judgeKillPoint(point) }
  }
}

const toSession = (number: number): Unit => ({
  points: KILLS_A_SESSION,
  name: `--session ${number}`,
  judge: () => judgeSession(number),
})

async function tryPoints(points: number): Promise<number> {
  console.log(seedLine)
  let [number, failed] = [0, 0]
  let part = openPart(0)
  for await (const { points: size, scenario, name, judge } of listUnits()) {
    number += size
    const problems = await judge()
    if (problems.length > 0 && scenario !== undefined) keepSeed('kill-points', scenario)
    part.add(size, problems.length > 0 ? `${name}: ${problems[0]}` : undefined)
    for (const problem of problems) console.error(`npm run proof -- kill-points ${name}: ${problem}`)
    failed += Math.min(1, problems.length)
    if (number < points && part.size < PART) continue
    part.keep()
    if (number >= points) return failed
    part = openPart(number)
  }
  return failed
}

function openPart(from: number) {
  const startedAt = performance.now()
  const failures: string[] = []
  let cases = 0
  return {
    get size() {
      return cases
    },
    add(count: number, failure: string | undefined): void {
      cases += count
      if (failure !== undefined) failures.push(failure)
    },
    keep(): void {
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10
      recordRun({ proof: 'kill-points', from, cases, failures, seconds })
      console.log(`Points ${from} to ${from + cases - 1}: ${failures.length} failed, ${seconds} s`)
    },
  }
}

async function tryUnits(units: AsyncIterable<Unit> | Iterable<Unit>): Promise<number> {
  let failed = 0
  for await (const { name, judge } of units) {
    const problems = await judge()
    for (const problem of problems) console.error(`${name}: ${problem}`)
    failed += Math.min(1, problems.length)
  }
  console.log(failed === 0 ? 'Everything holds' : `${failed} failed`)
  return failed
}

async function main(): Promise<number> {
  if (values.scenario !== undefined) return tryUnits(listWrites(values.scenario))
  if (values.session !== undefined) return tryUnits([toSession(values.session)])
  return tryPoints(values.points)
}

process.exitCode = (await main()) > 0 ? 1 : 0
