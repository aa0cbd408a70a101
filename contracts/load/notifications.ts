import { AMOUNT_CLASSES, AMOUNTS, pick } from '../explore/values.ts'
import type { LoadMessage } from './books.ts'
import type { PlannedNotification, PlannedPart } from './plan.ts'
import type { LoadContent } from './shares.ts'
import { asObjectOf, messageFor } from '../run/messages.ts'
import { createPlay } from '../run/payment-play.ts'
import { createSeeds, type Seeds } from '../run/seeds.ts'
import type { Service } from '../run/service.ts'
import type { Shared } from '../run/shared-state.ts'
import { readBooking } from '../toolkit/booked-effect.ts'
import type { Play } from '../toolkit/check-context.ts'
import { isConsequence, unusedKinds } from '../toolkit/consequences.ts'
import type { Consequences } from '../toolkit/options.ts'
import { ownMessages, reachMessages } from '../toolkit/scenario.ts'
import { findNotifiedGenerations, nextStates, partyFields } from '../../sandbox/internal.ts'
import { objectState } from '../../spec/models.ts'
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import { paymentParticipants, paysItem, type PaymentKind } from '../../spec/payments.ts'

interface NotificationPorts extends Pick<LoadContent, 'generation' | 'urls'> {
  readonly service: Service
  readonly options: Pick<Shared['options'], 'consequences' | 'seed' | 'salt'>
  /** The minimum number of other notifications between two notifications about the same object. */
  readonly apart: number
}

interface MakerPorts extends NotificationPorts {
  readonly seeds: LoadSeeds
  readonly people: ReturnType<typeof createLoadPeople>
}

export type MakeNotification = (planned: PlannedNotification) => Promise<LoadMessage>

export function notificationMaker(ports: NotificationPorts): MakeNotification {
  const seeds = createLoadSeeds(ports.options)
  const parts = { ...ports, seeds, people: createLoadPeople(ports.service, seeds) }
  const ofPayments = createPaymentNotifications(parts)
  const ofObjects = createObjectNotifications(parts)
  return (planned) => (planned.kind === 'payment' ? ofPayments(planned) : ofObjects(planned.type))
}

type User = ObjectByType['users']

const CROWD = 64

/** Creates users that payments share, because a user for each payment would take most of the time. */
function createLoadPeople({ perform }: Pick<Service, 'perform'>, { people: seeds }: LoadSeeds) {
  const crowd: Promise<User>[] = []
  let turn = 0

  function next(): Promise<User> {
    const place = turn++ % CROWD
    return (crowd[place] ??= create())
  }

  async function create(): Promise<User> {
    const input = { path: { type: 'users' }, query: { seed: seeds.next() }, body: {} }
    const { object } = await perform('createObject', input)
    return asObjectOf('users', object)
  }

  async function itemFields(): Promise<object> {
    const [buyer, seller] = await Promise.all([next(), next()])
    return partyFields(buyer, seller)
  }

  return {
    fieldsOf: async (type: NotifiedType) => (type === 'items' ? itemFields() : {}),
    async partiesOf(kind: PaymentKind) {
      if (needsOwnPeople(kind)) return {}
      if (paysItem(kind)) return { itemFields: await itemFields() }
      return { user: (await next()).id }
    },
  }
}

/** Returns true if a payment needs its own user. Such a payment uses the user's wallet or the user's only virtual account. */
function needsOwnPeople(kind: PaymentKind): boolean {
  return paymentParticipants(kind).some(([role, { pays = false }]) => pays || role === 'virtual_account')
}

function createPaymentNotifications({ service, urls, options, seeds, people }: MakerPorts) {
  /** The payments in progress, by payment number. Each promise resolves when the payment's last requested step ends. */
  const plays = new Map<number, Promise<Play>>()

  async function begin({ payment, branch: { kind, outcome } }: PlannedPart): Promise<Play> {
    const own = seeds.payment(payment)
    const amount = pick(AMOUNTS[pick(AMOUNT_CLASSES, own.random)], own.random)
    const wish = { kind, outcome, amount, ...(await people.partiesOf(kind)) }
    const { consequences } = options
    return createPlay(wish, { service, urls, consequences, seeds: own, log: NO_LOG, onMade() {} }, () => {})
  }

  return async (planned: PlannedPart): Promise<LoadMessage> => {
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
        `Cannot send a notification of ${branch.kind}: this kind of payment has no notification ${part + 1}`,
      )
    const { type, id, body } = message
    return { type, id, body, booking: part === branch.deciding ? readBooking(message) : undefined }
  }
}

/** A log that drops all events, because a load only counts notifications. */
const NO_LOG = { events: [], now: () => 0, add: () => {} }

interface LivingObject {
  readonly id: string
  readonly object: object
}

/** Returns a function that creates an object, or moves the oldest object to its next state. */
function createObjectNotifications(ports: MakerPorts): (type: NotifiedType) => Promise<LoadMessage> {
  const { service, seeds, people, options, generation, apart } = ports
  const { perform } = service
  const profile = toProfile(options.consequences)
  const livingByType = new Map<NotifiedType, LivingObject[]>()

  async function move(type: NotifiedType, { id }: LivingObject, to: string): Promise<LivingObject> {
    const { object } = await perform('moveObject', { path: { type, id }, body: { to } })
    return { id, object }
  }

  async function create(type: NotifiedType): Promise<LivingObject> {
    const [seed, fields] = [seeds.objects.next(), await people.fieldsOf(type)]
    const made = await perform('createObject', { path: { type }, query: { seed }, body: { ...fields } })
    let before: LivingObject | undefined
    let living: LivingObject = made
    for (;;) {
      const to = nextState(type, living.object)
      if (to === undefined || isNotified(type, before, living)) return living
      before = living
      living = await move(type, living, to)
    }
  }

  function isNotified(type: NotifiedType, before: LivingObject | undefined, after: LivingObject): boolean {
    const change = {
      before: before && asObjectOf(type, before.object),
      after: asObjectOf(type, after.object),
    }
    return findNotifiedGenerations(type, change, service.readings).includes(generation)
  }

  return async (type) => {
    const living = livingByType.get(type) ?? []
    livingByType.set(type, living)
    const oldest = living.length >= apart ? living.shift() : undefined
    const to = oldest && nextState(type, oldest.object)
    const current = oldest && to !== undefined ? await move(type, oldest, to) : await create(type)
    if (nextState(type, current.object) !== undefined) living.push(current)
    const message = messageFor(type, current.object, service.translator)
    const fields = { ...current.object, state: message.state }
    const booking = isConsequence(profile, type, fields) ? readBooking(message) : undefined
    return { type, id: message.id, body: message.body, booking }
  }
}

const toProfile = (consequences: Consequences) => ({ consequences, unused: unusedKinds(consequences) })

/** State sequences that the document does not show. Reading: unshown-transitions */
const UNSHOWN: { readonly [Type in NotifiedType]?: readonly string[] } = {
  items: ['pending', 'payment_deposited', 'completed'],
  users: ['pending', 'approved'],
}

function nextState(type: NotifiedType, object: object): string | undefined {
  const present = asObjectOf(type, object)
  const shown = nextStates(type, present)
  if (shown) return shown[0]
  const unshown = UNSHOWN[type] ?? []
  const place = unshown.indexOf(objectState(type, present) ?? '')
  return place === -1 ? undefined : unshown[place + 1]
}

/** The increment of the sandbox's random generator, and the number of random numbers that each seed may use. */
const [STEP, DRAWS] = [0x6d2b79f5, 64]
/** The number of seeds for all users, the number for each payment, and the position of the first object seed. */
const [OF_PEOPLE, OF_A_PAYMENT, FIRST_OF_OBJECTS] = [1_024, 16, 2 ** 25]

/** Creates unique seeds that are far apart in one sequence. Fifty thousand random seeds would contain duplicates. */
export function createLoadSeeds({ seed, salt }: Pick<Shared['options'], 'seed' | 'salt'>) {
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
    payment: (payment: number) => from(`payment/${payment}`, OF_PEOPLE + payment * OF_A_PAYMENT),
  }
}

/** The unique seeds of a load. A payment gets the same random numbers in every run with the same seed. */
type LoadSeeds = ReturnType<typeof createLoadSeeds>
