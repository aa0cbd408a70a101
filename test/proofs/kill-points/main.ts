import { readOptions } from '../../support/script-options.ts'
import { seedLine, testSeed } from '../../support/test-seed.ts'
import { keepSeed, recordPart, regressionSeeds } from '../results.ts'
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

/** Yields kill points of restores and resets first, then regression seeds, then endless new seeds. */
async function* listUnits(): AsyncGenerator<Unit, never> {
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

async function tryPoints(points: number): Promise<void> {
  console.log(seedLine)
  const units = listUnits()
  for (let from = 0; from < points;) {
    const least = Math.min(PART, points - from)
    const part = { proof: 'kill-points', from, name: `Points from ${from}` } as const
    const { cases } = await recordPart(part, () => tryPart(units, least))
    from += cases
  }
}

async function tryPart(units: AsyncGenerator<Unit, never>, least: number) {
  const failures: string[] = []
  let cases = 0
  while (cases < least) {
    const { points, scenario, name, judge } = (await units.next()).value
    const problems = await judge()
    cases += points
    if (problems.length === 0) continue
    if (scenario !== undefined) keepSeed('kill-points', scenario)
    failures.push(`npm run proof -- kill-points ${name}: ${problems.join('; ')}`)
  }
  return { cases, failures }
}

async function tryUnits(units: AsyncIterable<Unit> | Iterable<Unit>): Promise<void> {
  let failed = 0
  for await (const { name, judge } of units) {
    const problems = await judge()
    for (const problem of problems) console.error(`${name}: ${problem}`)
    failed += Math.min(1, problems.length)
  }
  console.log(failed === 0 ? 'Everything holds' : `${failed} failed`)
  if (failed > 0) process.exitCode = 1
}

if (values.scenario !== undefined) await tryUnits(listWrites(values.scenario))
else if (values.session === undefined) await tryPoints(values.points)
else await tryUnits([toSession(values.session)])
