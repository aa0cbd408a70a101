import { expect, test } from 'vitest'
import { testSeed } from '../../support/test-seed.ts'
import { keepSeed, regressionSeeds } from '../results.ts'
import {
  countWrites,
  judgeKillPoint,
  judgeReplacement,
  listKillPoints,
  listReplacementPoints,
} from './kill-point.ts'

const POINTS = 30

async function drawScenario(): Promise<number> {
  let scenario = testSeed
  while ((await countWrites(scenario)) < POINTS) scenario++
  return scenario
}

test.each([...regressionSeeds('kill-points').map((seed) => ({ seed })), { seed: await drawScenario() }])(
  'a process killed before, in or after any write of scenario $seed loses nothing',
  async ({ seed }) => {
    const points = listKillPoints(seed, await countWrites(seed))
    const apart = Math.max(1, Math.floor(points.length / POINTS))
    // The kill points cycle through three positions: before, during and after a write. A step that is a multiple of 3 would test
    // only one of these positions.
    const step = apart % 3 === 0 ? apart + 1 : apart
    const tried = points.filter((_, index) => index % step === 0)
    const failures: string[] = []
    for (const point of tried)
      for (const problem of await judgeKillPoint(point)) failures.push(`${JSON.stringify(point)}: ${problem}`)

    if (failures.length > 0) keepSeed('kill-points', seed)
    expect(failures).toEqual([])
    expect(tried.length).toBeGreaterThanOrEqual(20)
    expect(new Set(tried.map(({ side }) => side)).size).toBe(3)
  },
)

test('a process that is killed while it replaces a world leaves either the old or the new world', async () => {
  const points = await listReplacementPoints()
  const failures: string[] = []
  for (const point of points)
    for (const problem of await judgeReplacement(point)) failures.push(`${JSON.stringify(point)}: ${problem}`)

  expect(failures).toEqual([])
  expect(points.length).toBeGreaterThanOrEqual(9)
})
