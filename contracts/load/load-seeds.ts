import { createSeeds, type Seeds } from '../run/seeds.ts'

/** What a load draws on: no two of its seeds are the same, and each payment has the same ones whatever happens beside it. */
export interface LoadSeeds {
  readonly people: Seeds
  readonly objects: Seeds
  /** Of the payment with this number, counted from 0. */
  payment(payment: number): Seeds
}

/** How far the sandbox's source moves on with each number, and how many are drawn from one seed, or a few more. */
const [STEP, DRAWS] = [0x6d2b79f5, 64]
/** How many seeds people and each payment have; the objects have the second half of all. */
const [OF_PEOPLE, OF_A_PAYMENT, FIRST_OF_OBJECTS] = [1_024, 16, 2 ** 25]

/**
 * Of seeds that are drawn at random, as a check does it, two are often the same among fifty thousand, and so are the ids that are drawn
 * from them. These are places of one sequence of numbers, so far apart that no number belongs to two: enough for two million payments
 * and thirty million objects.
 */
export function createLoadSeeds(seed: number): LoadSeeds {
  const first = createSeeds(seed, 'load').next()
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
    payment: (payment) => from(`payment/${payment}`, OF_PEOPLE + payment * OF_A_PAYMENT),
  }
}
