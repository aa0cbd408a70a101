import { expect, test } from 'vitest'
import { PROOFS } from './proofs.ts'
import { nextCase, readRuns, type KeptRun } from './results.ts'

const RUN: KeptRun = {
  proof: 'seeds',
  from: 0,
  cases: 100,
  failures: [],
  seconds: 3,
  day: '2026-01-01',
  machine: 'two cores',
}

test('a proof goes on after the last case that was tried', () => {
  const runs = [RUN, { ...RUN, from: 100, cases: 20 }, { ...RUN, proof: 'others', from: 900 }]
  expect(nextCase('seeds', runs)).toBe(120)
  expect(nextCase('never-run', runs)).toBe(0)
})

test('every run that is kept is of a proof that the page lists', () => {
  const listed = new Set(PROOFS.map(({ id }) => id))
  expect(readRuns().filter(({ proof }) => !listed.has(proof))).toEqual([])
})

test('no two proofs have the same id', () => {
  expect(new Set(PROOFS.map(({ id }) => id)).size).toBe(PROOFS.length)
})
