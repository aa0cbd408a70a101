import { configureGlobal, readConfigureGlobal } from 'fast-check'

/** Gives property tests the seed of an earlier run; left to themselves they draw one, and print it when they fail. */
const given = process.env['HOOKBENCH_TEST_SEED']
const seed = Number(given)
if (given !== undefined && !Number.isInteger(seed)) {
  throw new RangeError(
    `Cannot use HOOKBENCH_TEST_SEED "${given}": it takes the whole number that a failed test printed`,
  )
}
if (given !== undefined) configureGlobal({ ...readConfigureGlobal(), seed })
