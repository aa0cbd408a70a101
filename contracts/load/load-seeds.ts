import type { LoadMessage } from './books.ts'
import { subjectOf, type PlannedNotification } from './plan.ts'
import { createSeeds, type Seeds } from '../run/seeds.ts'
import { ProbeError, type EffectProbe } from '../toolkit/ports.ts'
import { UsageError } from '../../sandbox/internal.ts'

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
export function createLoadSeeds(seed: number) {
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
    /** Returns the seeds of a payment. Payments are counted from 0. */
    payment: (payment: number) => from(`payment/${payment}`, OF_PEOPLE + payment * OF_A_PAYMENT),
  }
}

/** Unique seeds for a load. A payment has the same seeds in every run with the same seed. */
export type LoadSeeds = ReturnType<typeof createLoadSeeds>

export type MakeNotification = (planned: PlannedNotification) => Promise<LoadMessage>

/**
 * The number of objects to read for each share. Several objects are read, because the receiver may have lost a single object of
 * the earlier load.
 */
const MAX_LOOKS = 3

/**
 * Wraps `make` with a guard against a seed that was used before. A seed that was used before creates the same objects again.
 * Rejects with UsageError if one of the first objects has an effect before its notification.
 */
export function refuseRepeats(make: MakeNotification, seed: number, probe: EffectProbe): MakeNotification {
  const seen = new Map<ReturnType<typeof subjectOf>, Set<string>>()

  async function look({ type, id }: LoadMessage): Promise<void> {
    // The report at the end of the load says that the effects cannot be read.
    const { effects } = await probe(type, id).catch((error: unknown) => {
      if (error instanceof ProbeError) return { effects: 0 }
      throw error
    })
    if (effects === 0) return
    throw new UsageError(
      `Cannot use seed ${seed} again: your platform has effects of ${type} ${id} already, from before its first notification. ` +
        'Empty your platform, or omit --seed',
    )
  }

  return async (planned) => {
    const message = await make(planned)
    const ids = seen.get(subjectOf(planned)) ?? new Set()
    if (ids.size >= MAX_LOOKS || !isOfActedOnType(planned) || ids.has(message.id)) return message
    seen.set(subjectOf(planned), ids.add(message.id))
    await look(message)
    return message
  }
}

function isOfActedOnType(planned: PlannedNotification): boolean {
  if (planned.kind === 'object') return true
  const { parts, deciding } = planned.branch
  return deciding !== undefined && parts[planned.part]?.type === parts[deciding]?.type
}
