import { AMOUNT_CLASSES, AMOUNTS, pick } from '../explore/values.ts'
import type { LoadMessage } from './books.ts'
import { createObjectNotifications } from './object-notifications.ts'
import { createLoadPeople, type People } from './people.ts'
import { subjectOf, type LoadPace, type PlannedNotification, type PlannedPart } from './plan.ts'
import type { LoadContent } from './shares.ts'
import type { Shared } from '../run/shared-state.ts'
import { playPayment, type ServiceObjectsPorts } from '../run/payment-play.ts'
import { readBooking } from '../toolkit/booked-effect.ts'
import type { Play } from '../toolkit/check-context.ts'
import { ownMessages, reachMessages } from '../toolkit/scenario.ts'
import { createSeeds, type Seeds } from '../run/seeds.ts'
import { ProbeError, type EffectProbe } from '../toolkit/ports.ts'
import { UsageError } from '../../sandbox/internal.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

type NotificationMakerPorts = Pick<Shared, 'service'> &
  Pick<LoadContent, 'generation' | 'urls'> &
  Pick<LoadPace, 'apart'> & { readonly options: Pick<Shared['options'], 'consequences' | 'seed'> }

export type MakeNotification = (planned: PlannedNotification) => Promise<LoadMessage>

export function notificationMaker(ports: NotificationMakerPorts): MakeNotification {
  const { service, options, urls, generation, apart } = ports
  const { consequences } = options
  const seeds = createLoadSeeds(options.seed)
  const people = createLoadPeople(service, seeds.people)
  const ofPayments = createPaymentNotifications({ service, urls, consequences, seeds, people })
  const ofObjects = createObjectNotifications({
    service,
    seeds: seeds.objects,
    people,
    consequences,
    generation,
    apart,
  })
  return (planned) => (planned.kind === 'payment' ? ofPayments(planned) : ofObjects(planned.type))
}

/** Returns a function that plays a payment to its next notification. */
export function createPaymentNotifications(
  ports: Pick<ServiceObjectsPorts, 'service' | 'urls' | 'consequences'> & {
    readonly seeds: Pick<LoadSeeds, 'payment'>
    readonly people: People
  },
): (planned: PlannedPart) => Promise<LoadMessage> {
  /** The payments in progress, keyed by payment number. Each promise resolves after the last requested step. */
  const plays = new Map<number, Promise<Play>>()

  async function begin({ payment, branch: { kind, outcome } }: PlannedPart): Promise<Play> {
    const seeds = ports.seeds.payment(payment)
    const parties = await ports.people.partiesOf(kind)
    const amount = pick(AMOUNTS[pick(AMOUNT_CLASSES, seeds.random)], seeds.random)
    const wish = { kind, outcome, amount, ...parties }
    return playPayment(wish, { ...ports, seeds, log: NO_LOG, onMade: () => {} }, () => {})
  }

  return async (planned) => {
    const { payment, branch, part } = planned
    const before = plays.get(payment) ?? begin(planned)
    const reached = before.then(async (play) => {
      await reachMessages(branch, play, part)
      return play
    })
    if (part === branch.parts.length - 1) plays.delete(payment)
    else plays.set(payment, reached)
    const message = ownMessages(branch, await reached)[part]
    if (!message)
      throw new RangeError(
        `Cannot notify of ${branch.kind}: this kind of payment has no notification ${part + 1}`,
      )
    const { type, id, body } = message
    return { type, id, body, booking: part === branch.deciding ? readBooking(message) : undefined }
  }
}

/** A log that drops its events, because a load only counts them. */
const NO_LOG = { events: [], now: () => 0, add: () => {} }

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

/**
 * The number of objects to read for each share. Several objects are read, because the receiver may have lost a single object of
 * the earlier load.
 */
const MAX_LOOKS = 3

/**
 * Wraps `make` with a guard against a seed that was used before. A seed that was used before creates the same objects again.
 * Rejects with UsageError if one of the first objects has an effect before its notification.
 */
export function refuseRepeats(
  make: MakeNotification,
  { seed, probe }: { readonly seed: number; readonly probe: EffectProbe },
): MakeNotification {
  const looks = new Map<ReturnType<typeof subjectOf>, number>()
  const seen = new Set<string>()

  function isToBeLookedAt(planned: PlannedNotification, { type, id }: LoadMessage): boolean {
    const share = subjectOf(planned)
    const count = looks.get(share) ?? 0
    if (count >= MAX_LOOKS || !isOfActedOnType(planned) || seen.has(`${type} ${id}`)) return false
    looks.set(share, count + 1)
    seen.add(`${type} ${id}`)
    return true
  }

  async function effectsOf(type: NotifiedType, id: string): Promise<number> {
    try {
      return (await probe(type, id)).effects
    } catch (error) {
      // The report at the end of the load says that the effects cannot be read.
      if (error instanceof ProbeError) return 0
      throw error
    }
  }

  async function look({ type, id }: LoadMessage): Promise<void> {
    if ((await effectsOf(type, id)) === 0) return
    throw new UsageError(
      `Cannot use seed ${seed} again: your platform has effects of ${type} ${id} already, from before its first notification. ` +
        'Empty your platform, or omit --seed',
    )
  }

  return async (planned) => {
    const message = await make(planned)
    if (isToBeLookedAt(planned, message)) await look(message)
    return message
  }
}

function isOfActedOnType(planned: PlannedNotification): boolean {
  if (planned.kind === 'object') return true
  const { parts, deciding } = planned.branch
  return deciding !== undefined && parts[planned.part]?.type === parts[deciding]?.type
}
