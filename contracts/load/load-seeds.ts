import { createSeeds, type Seeds } from '../run/seeds.ts'

/** Unique seeds for a load. Each payment has the same seeds in every run. */
export interface LoadSeeds {
  readonly people: Seeds
  readonly objects: Seeds
  /** Counts from 0. */
  payment(payment: number): Seeds
}

/** The step of the sandbox's generator, and the draws reserved for one seed. */
const [STEP, DRAWS] = [0x6d2b79f5, 64]
/** The numbers of seeds for people and for a payment. Objects have the second half of all. */
const [OF_PEOPLE, OF_A_PAYMENT, FIRST_OF_OBJECTS] = [1_024, 16, 2 ** 25]

/**
 * Among fifty thousand random seeds, two are often equal, and so are their ids. These seeds are distant
 * places of one sequence instead. They suffice for two million payments and thirty million objects.
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
