import { randomInt } from 'node:crypto'

const VARIABLE = 'HOOKBENCH_TEST_SEED'
/** Cases are numbered from the seed on, and stay below the 32 bits that fast-check takes. */
const LARGEST = 2 ** 31 - 1_000_000

/** The seed of this run, which the processes that it starts draw from as well: that of the variable, or a new one. */
export const testSeed = readSeed(process.env[VARIABLE])
process.env[VARIABLE] = String(testSeed)

/** The line that says how to draw the same cases again. */
export const seedLine = `Seed of this run: ${VARIABLE}=${testSeed}`

function readSeed(given: string | undefined): number {
  if (given === undefined) return randomInt(LARGEST)
  const seed = Number(given)
  if (/^\d+$/.test(given) && seed <= LARGEST) return seed
  throw new RangeError(
    `Cannot use ${VARIABLE} "${given}": it takes a whole number from 0 to ${LARGEST}, as an earlier run printed it`,
  )
}
