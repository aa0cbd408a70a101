import type { LoadMessage } from './books.ts'
import type { PlannedNotification } from './plan.ts'
import { createSeeds, type Seeds } from '../run/seeds.ts'
import type { RunOptions } from '../toolkit/options.ts'

/** The step of the sandbox's random generator, and the number of draws that are reserved for each seed. */
const [STEP, DRAWS] = [0x6d2b79f5, 64]
/**
 * The number of seeds for people, the number of seeds for each payment, and the first seed for objects. The second half of all
 * seeds is reserved for objects.
 */
const [OF_PEOPLE, OF_A_PAYMENT, FIRST_OF_OBJECTS] = [1_024, 16, 2 ** 25]

/**
 * Creates seeds at distant positions of one random sequence. Among fifty thousand random seeds, two seeds would often be equal
 * and create the same ids. The seeds suffice for two million payments and thirty million objects.
 */
export function createLoadSeeds({ seed, salt }: Pick<RunOptions, 'seed' | 'salt'>) {
  const first = createSeeds(seed, 'load', salt).next()
  const from = (name: string, start: number): Seeds => {
    let place = start
    return {
      ...createSeeds(seed, `load/${name}`),
      next: () => (first + Math.imul(STEP, DRAWS * place++)) >>> 0,
    }
  }
  return {
    people: from('people', 0),
    objects: from('objects', FIRST_OF_OBJECTS),
    /** Returns the seeds of a payment. Payments are counted from 0. */
    payment: (payment: number) => from(`payment/${payment}`, OF_PEOPLE + payment * OF_A_PAYMENT),
  }
}

/** Unique seeds for a load. A payment has the same random draws in every run with the same seed. */
export type LoadSeeds = ReturnType<typeof createLoadSeeds>

export type MakeNotification = (planned: PlannedNotification) => Promise<LoadMessage>
