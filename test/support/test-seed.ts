import { randomInt } from 'node:crypto'

const VARIABLE = 'HOOKBENCH_TEST_SEED'
/** The largest seed. Case numbers start at the seed, and fast-check accepts at most 32 bits. */
const LARGEST = 2 ** 31 - 1_000_000

/** The seed of this run. Child processes use the same seed. */
export const testSeed = readSeed(process.env[VARIABLE])
process.env[VARIABLE] = String(testSeed)

export const seedLine = `Seed of this run: ${VARIABLE}=${testSeed}`

function readSeed(given: string | undefined): number {
  if (given === undefined) return randomInt(LARGEST)
  const seed = Number(given)
  if (/^\d+$/.test(given) && seed <= LARGEST) return seed
  throw new RangeError(
    `Cannot use ${VARIABLE} "${given}": it takes a whole number from 0 to ${LARGEST}, as an earlier run printed it`,
  )
}
