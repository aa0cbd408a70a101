import * as fc from 'fast-check'
import { DELIVERY } from '../../../spec/generated/delivery.ts'
import { paymentKinds } from '../../../spec/payments.ts'
import { type NotifiedType, notifiedTypes } from '../../../spec/notifications.ts'
import type { Command, CrowdCall, Plan, SingleCommand } from './plan.ts'
import type { CrashPoint, DiskFailure, Interruption } from './world/simulated-disk.ts'
import type { Setup } from './world/incarnation.ts'
import type { Behaviour, Reaction } from './world/platform.ts'
import type { World } from './world/world.ts'
import type { Registration } from '../../../sandbox/engine/state/entries.ts'
import { objectState } from '../../../spec/models.ts'
import { weighted } from '../weighted.ts'

/** Draws a command of the given kind, with the given arbitraries for its other fields. */
const commandOf = <const Kind extends string, Fields extends object>(
  kind: Kind,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => fc.record(fields).map((drawn) => ({ kind, ...drawn }))

const which = fc.nat({ max: 40 })

const receiver = fc.nat({ max: 2 })

const reaction: fc.Arbitrary<Reaction> = weighted(
  [6, fc.constantFrom(200, 201, 204, 299)],
  [8, fc.constantFrom<Reaction[]>(500, 503, 404, 410, 429, 302, 'reset', 'refused', 'hang')],
  [1, fc.constant('large' as const)],
)

const behaviourAtFirst: fc.Arbitrary<Behaviour> = fc.array(reaction, { minLength: 2, maxLength: 5 })

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.constantFrom<Behaviour[]>([200], [500], ['hang']),
  fc.array(reaction, { minLength: 1, maxLength: 5 }),
)

const register = commandOf('register', {
  generation: fc.constantFrom('webhooks' as const, 'webhooks' as const, 'callbacks' as const),
  type: fc.nat({ max: DELIVERY.object_types.webhooks.value.length - 1 }),
  receiver,
  enabled: fc.constantFrom(true, true, true, false),
})

const change = commandOf('change', {
  which,
  among: fc.constantFrom('watched' as const, 'watched' as const, 'all' as const),
  times: fc.constantFrom(1, 1, 2, 4),
})

const create = commandOf('create', {
  which,
  type: weighted([3, fc.constant('watched' as const)], [1, fc.constantFrom(...notifiedTypes)]),
  by: fc.constantFrom('service' as const, 'bench' as const),
})

const play = commandOf('play', {
  payment: fc.constantFrom(...paymentKinds),
  outcome: fc.nat({ max: 2 }),
  pace: fc.constantFrom('instant', 'stepwise', '1h', '30m'),
})

const advance = commandOf('advance', {
  minutes: fc.oneof(fc.constantFrom(0, 5, 20, 80, 320, 1_280), fc.integer({ min: 1, max: 4_000 })),
})

const refused = commandOf('refused', { which })

const single: fc.Arbitrary<SingleCommand> = weighted(
  [3, register],
  [
    3,
    commandOf('change-registration', {
      which,
      change: fc.constantFrom('enable', 'disable', 'move', 'describe'),
      receiver,
    }),
  ],
  [1, commandOf('delete-registration', { which })],
  [5, create],
  [7, change],
  [2, play],
  [1, commandOf('step', { which })],
  [8, advance],
  [2, commandOf('resend', { which })],
  [
    4,
    commandOf('list', {
      list: fc.constantFrom('failed', 'registrations', 'responses', 'job', 'show', 'control'),
      which,
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  ],
  [1, refused],
)

const crowdCall = (call: fc.Arbitrary<SingleCommand>): fc.Arbitrary<CrowdCall> =>
  fc.record({ call, turns: fc.nat({ max: 2 }) })

/** A call whose change is visible to the next call before the change is on disk. */
const decidedCall: fc.Arbitrary<CrowdCall> = fc.record({ call: create, turns: fc.constantFrom(1, 2) })

const point: fc.Arbitrary<CrashPoint> = fc.oneof(
  fc.record({ after: fc.constant('events' as const), count: fc.nat({ max: 12 }) }),
  fc.record({
    after: fc.constant('writes' as const),
    count: fc.nat({ max: 6 }),
    side: fc.constantFrom('before' as const, 'after' as const),
  }),
)

const loss = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined, freq: 2 })

const crash = fc.record({
  point,
  loss: fc.constantFrom('killed' as const, 'power-lost' as const),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
})

const failure = fc.constantFrom<DiskFailure[]>('full', 'full', 'full', 'failed')

const interruption: fc.Arbitrary<Interruption> = fc.oneof(
  crash.map((each) => ({ kind: 'crash' as const, ...each })),
  commandOf('bad-disk', { failure, after: fc.nat({ max: 4 }) }),
)

const command: fc.Arbitrary<Command> = weighted(
  [22, single],
  [3, commandOf('pair', { first: single, second: single })],
  [3, fc.tuple(single, crash).map(([during, each]) => ({ kind: 'crash' as const, during, ...each }))],
  [
    3,
    commandOf('crowd', {
      calls: fc.array(crowdCall(fc.oneof(create, change, refused)), { minLength: 3, maxLength: 6 }),
      failsSync: fc.constantFrom(false, false, true),
      loss,
    }),
  ],
  [1, fc.constant({ kind: 'save' as const })],
  [
    2,
    commandOf('replace', {
      successor: fc.constantFrom('saved' as const, 'saved' as const, 'saved' as const, 'empty' as const),
      meanwhile: fc.array(decidedCall, { maxLength: 2 }),
      interruption: fc.option(interruption, { nil: undefined, freq: 2 }),
      afterwards: fc.record({
        calls: fc.oneof(fc.constant([]), fc.tuple(crowdCall(create), crowdCall(refused))),
        failsSync: fc.constant(false),
        loss,
      }),
    }),
  ],
  [1, fc.constant({ kind: 'restart' as const })],
  [2, commandOf('go-on', { events: fc.nat({ max: 9 }) })],
  [3, commandOf('behave', { which, behaviour })],
  [1, commandOf('bad-disk', { failure, times: fc.integer({ min: 1, max: 9 }), after: fc.nat({ max: 4 }) })],
  [1, commandOf('wall-clock', { minutes: fc.integer({ min: -3_000, max: 3_000 }) })],
)

const setup: fc.Arbitrary<Setup> = fc.record({
  readings: fc.record({
    'retry-window': fc.constantFrom('24h', '24h', 'five-attempts'),
    'callback-retry': fc.constantFrom('none', 'none', 'as-webhooks'),
    'pending-retries': fc.constantFrom('follow-registration', 'follow-registration', 'frozen-url'),
    'retry-body': fc.constantFrom('snapshot', 'snapshot', 'current'),
    'accompanying-notifications': fc.constantFrom('as-6.2', 'all'),
    'job-recording-lag': fc.constantFrom('200ms', '0ms', '10m'),
  }),
  slowDisk: fc.boolean(),
  concurrency: fc.constantFrom(1, 2, 64),
  behaviours: fc.tuple(behaviourAtFirst, behaviourAtFirst, behaviourAtFirst),
  chance: fc.nat({ max: 2 ** 30 }),
})

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 60 })

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined

/** The registrations at the start of a run. Without registrations, a run would test nothing. */
const beginning = fc.uniqueArray(register, {
  minLength: 3,
  maxLength: 6,
  selector: ({ generation, type }) => `${generation}/${type}`,
})

const middle = fc.noBias(fc.array(optional(command), { minLength: 14, maxLength: 34, size: 'max' }))

export const planArbitrary: fc.Arbitrary<Plan> = fc
  .tuple(setup, beginning, middle)
  .map(([chosen, registrations, commands]) => ({
    setup: chosen,
    commands: [...registrations, ...commands.filter(isThere)],
  }))

export interface KnownObject {
  readonly type: NotifiedType
  readonly id: string
}

export function receiverUrl(generation: string, type: string, index: number): string {
  return `https://localhost:9443/${generation}/${type}/3f9c1d2ab47e805${index}`
}

export function registrationsOf({ sandbox }: Pick<World, 'sandbox'>): readonly Registration[] {
  const { view } = sandbox().assembled.context
  return [...view.registrations('webhooks'), ...view.registrations('callbacks')]
}

export function typeToRegister({ type }: { readonly type: number }): string {
  return DELIVERY.object_types.webhooks.value[type] ?? 'items'
}

export function watchedTypes(world: Pick<World, 'sandbox'>): readonly NotifiedType[] {
  return registrationsOf(world).flatMap(({ enabled, object_type }) =>
    enabled && object_type !== 'bank_accounts' ? [object_type] : [],
  )
}

export function objectsOf(
  world: Pick<World, 'sandbox'>,
  among: 'all' | 'watched' = 'all',
): readonly KnownObject[] {
  const { view } = world.sandbox().assembled.context
  const watched = new Set(among === 'watched' ? watchedTypes(world) : notifiedTypes)
  return notifiedTypes
    .filter((type) => watched.has(type))
    .flatMap((type) => [...view.objectIds(type)].map((id) => ({ type, id })))
}

export function stateOf({ type, id }: KnownObject, { sandbox }: Pick<World, 'sandbox'>): string | null {
  const stored = sandbox().assembled.context.view.object(type, id)
  return stored ? objectState(type, stored.body) : null
}

export function pick<Value>(values: readonly Value[], index: number): Value | undefined {
  return values[index % Math.max(1, values.length)]
}
