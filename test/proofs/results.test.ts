import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { reliabilityRows } from './page.ts'
import { PROOFS } from './proofs.ts'
import { keepSeed, regressionSeeds } from './regression-seeds.ts'
import { currentRuns, readRuns, type KeptRun } from './results.ts'

const RUN: KeptRun = {
  proof: 'simulation',
  from: 0,
  cases: 100,
  failures: [],
  seconds: 3,
  design: 'present',
  commit: 'abcdef012',
  day: '2026-01-01',
  machine: 'two cores',
}

test('the page counts the runs of the present design only', () => {
  const lines = [RUN, { ...RUN, design: 'earlier', cases: 900 }].map((run) => JSON.stringify(run)).join('\n')

  expect(currentRuns(lines, 'present')).toEqual([RUN])
})

test('the page has a row for each commit of a proof, and none for a proof that was not run', () => {
  const other = { ...RUN, commit: '012abcdef', cases: 20, failures: ['seed 7'] }

  const rows = reliabilityRows([RUN, { ...RUN, cases: 50 }, other])

  expect(rows).toEqual([
    expect.objectContaining({ proof: 'simulation', commit: 'abcdef012', cases: 150, failed: 0 }),
    expect.objectContaining({ proof: 'simulation', commit: '012abcdef', cases: 20, failed: 1 }),
  ])
})

test('every kept run is of a proof on the list, and has its commit and day', () => {
  const listed = new Set(PROOFS.map(({ id }) => id))

  const odd = readRuns().filter(
    ({ proof, commit, day }) =>
      !listed.has(proof) || !/^[\da-f]{9,}$/.test(commit) || !/^\d{4}-\d\d-\d\d$/.test(day),
  )
  expect(odd).toEqual([])
})

test('no two proofs have the same id', () => {
  expect(new Set(PROOFS.map(({ id }) => id)).size).toBe(PROOFS.length)
})

test('a seed that failed is added to the regression seeds once', () => {
  const file = join(temporaryFolder(), 'seeds.json')
  writeFileSync(file, readFileSync(new URL('regression-seeds.json', import.meta.url)))
  const before = regressionSeeds('hostile', file)

  keepSeed('hostile', 4_711, file)
  keepSeed('hostile', 4_711, file)

  expect(regressionSeeds('hostile', file)).toEqual([...before, 4_711])
  expect(regressionSeeds('simulation', file)).toEqual(regressionSeeds('simulation'))
})
