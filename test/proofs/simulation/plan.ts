import * as fc from 'fast-check'
import { DELIVERY } from '../../../spec/generated/delivery.ts'
import { paymentKinds } from '../../../spec/payments.ts'
import { notifiedTypes } from '../../../spec/notifications.ts'
import type { Setup } from './world/incarnation.ts'
import type { Behaviour, Reaction } from './world/receivers.ts'
import type { Successor } from './world/saved-world.ts'
import type { DiskFailure } from './world/simulated-disk.ts'
import type { CrashPoint, Interruption } from './world/world.ts'

/** What is done in a run, as data: it can be printed, shrunk and done again. */
export interface Plan {
  readonly setup: Setup
  readonly commands: readonly Command[]
}

/** `which` is taken modulo what there is when it comes to it. */
export type Command =
  | SingleCommand
  /** Both calls are under way at once. */
  | { readonly kind: 'pair'; readonly first: SingleCommand; readonly second: SingleCommand }
  | {
      readonly kind: 'crash'
      readonly during: SingleCommand
      readonly point: CrashPoint
      readonly loss: 'killed' | 'power-lost'
      /** How much is kept of what was written and is not safe yet. */
      readonly share: number
    }
  | ({ readonly kind: 'crowd' } & Crowd)
  /** Saves the world, when nothing is under way. */
  | { readonly kind: 'save' }
  /** Restores what was saved last, or resets: what happened since then did not happen. */
  | {
      readonly kind: 'replace'
      readonly successor: Successor
      /** Calls that are under way when it begins. */
      readonly meanwhile: readonly CrowdCall[]
      readonly interruption: Interruption | undefined
      readonly afterwards: Crowd
    }
  | { readonly kind: 'restart' }
  | { readonly kind: 'go-on'; readonly events: number }
  | { readonly kind: 'wall-clock'; readonly minutes: number }
  | {
      readonly kind: 'bad-disk'
      readonly failure: DiskFailure
      readonly times: number
      readonly after: number
    }
  | { readonly kind: 'behave'; readonly which: number; readonly behaviour: Behaviour }

/** Calls that are under way at once. */
export interface Crowd {
  readonly calls: readonly CrowdCall[]
  /** Whether the first sync finds the disk full; another call follows when there is room again. */
  readonly failsSync: boolean
  /** The power fails when all calls have ended, and this share of what was not synced is kept. */
  readonly loss: number | undefined
}

export interface CrowdCall {
  readonly call: SingleCommand
  /** How often everything that is ready runs before the next call. */
  readonly turns: number
}

export type SingleCommand =
  | {
      readonly kind: 'register'
      readonly generation: 'webhooks' | 'callbacks'
      readonly type: number
      readonly receiver: number
      readonly enabled: boolean
    }
  | {
      readonly kind: 'change-registration'
      readonly which: number
      readonly change: 'enable' | 'disable' | 'move' | 'describe'
      readonly receiver: number
    }
  | { readonly kind: 'delete-registration'; readonly which: number }
  | {
      readonly kind: 'create'
      readonly which: number
      readonly type: (typeof notifiedTypes)[number] | 'watched'
      readonly by: 'service' | 'bench'
    }
  | {
      readonly kind: 'change'
      readonly which: number
      readonly among: 'all' | 'watched'
      readonly times: number
    }
  | {
      readonly kind: 'play'
      readonly payment: (typeof paymentKinds)[number]
      readonly outcome: number
      readonly pace: string
    }
  | { readonly kind: 'step'; readonly which: number }
  | { readonly kind: 'advance'; readonly minutes: number }
  | { readonly kind: 'resend'; readonly which: number }
  | ({
      readonly kind: 'list'
      readonly list: 'failed' | 'registrations' | 'responses' | 'job' | 'show' | 'control'
    } & { readonly which: number; readonly limit: number })
  | { readonly kind: 'refused'; readonly which: number }

const which = fc.nat({ max: 40 })
const receiver = fc.nat({ max: 2 })

const reaction: fc.Arbitrary<Reaction> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(200, 201, 204, 299) },
  {
    weight: 8,
    arbitrary: fc.constantFrom<Reaction[]>(500, 503, 404, 410, 429, 302, 'reset', 'refused', 'hang'),
  },
  { weight: 1, arbitrary: fc.constant('large' as const) },
)
/** Its test POSTs are answered with success. */
const behaviourAtFirst: fc.Arbitrary<Behaviour> = fc.array(reaction, { minLength: 2, maxLength: 5 })
const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.constantFrom<Behaviour[]>([200], [500], ['hang']),
  fc.array(reaction, { minLength: 1, maxLength: 5 }),
)

const register = fc.record({
  kind: fc.constant('register' as const),
  generation: fc.constantFrom('webhooks' as const, 'webhooks' as const, 'callbacks' as const),
  type: fc.nat({ max: DELIVERY.object_types.webhooks.value.length - 1 }),
  receiver,
  enabled: fc.constantFrom(true, true, true, false),
})
const change = fc.record({
  kind: fc.constant('change' as const),
  which,
  among: fc.constantFrom('watched' as const, 'watched' as const, 'all' as const),
  times: fc.constantFrom(1, 1, 2, 4),
})
const create = fc.record({
  kind: fc.constant('create' as const),
  which,
  type: fc.oneof(
    { weight: 3, arbitrary: fc.constant('watched' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...notifiedTypes) },
  ),
  by: fc.constantFrom('service' as const, 'bench' as const),
})
const play = fc.record({
  kind: fc.constant('play' as const),
  payment: fc.constantFrom(...paymentKinds),
  outcome: fc.nat({ max: 2 }),
  pace: fc.constantFrom('instant', 'stepwise', '1h', '30m'),
})
const advance = fc.record({
  kind: fc.constant('advance' as const),
  minutes: fc.oneof(fc.constantFrom(0, 5, 20, 80, 320, 1_280), fc.integer({ min: 1, max: 4_000 })),
})
const refused = fc.record({ kind: fc.constant('refused' as const), which })
const single: fc.Arbitrary<SingleCommand> = fc.oneof(
  { weight: 3, arbitrary: register },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('change-registration' as const),
      which,
      change: fc.constantFrom('enable', 'disable', 'move', 'describe'),
      receiver,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete-registration' as const), which }) },
  { weight: 5, arbitrary: create },
  { weight: 7, arbitrary: change },
  { weight: 2, arbitrary: play },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('step' as const), which }) },
  { weight: 8, arbitrary: advance },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resend' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      list: fc.constantFrom('failed', 'registrations', 'responses', 'job', 'show', 'control'),
      which,
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: refused },
)
const crowdCall = (call: fc.Arbitrary<SingleCommand>): fc.Arbitrary<CrowdCall> =>
  fc.record({ call, turns: fc.nat({ max: 2 }) })
/** Has changed the world before the next call, and waits for the disk. */
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
  fc.record({ kind: fc.constant('bad-disk' as const), failure, after: fc.nat({ max: 4 }) }),
)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 22, arbitrary: single },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pair' as const), first: single, second: single }) },
  {
    weight: 3,
    arbitrary: fc.tuple(single, crash).map(([during, each]) => ({ kind: 'crash' as const, during, ...each })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('crowd' as const),
      calls: fc.array(crowdCall(fc.oneof(create, change, refused)), { minLength: 3, maxLength: 6 }),
      failsSync: fc.constantFrom(false, false, true),
      loss,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'save' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      successor: fc.constantFrom('saved' as const, 'saved' as const, 'saved' as const, 'empty' as const),
      meanwhile: fc.array(decidedCall, { maxLength: 2 }),
      interruption: fc.option(interruption, { nil: undefined, freq: 2 }),
      afterwards: fc.record({
        calls: fc.oneof(fc.constant([]), fc.tuple(crowdCall(create), crowdCall(refused))),
        failsSync: fc.constant(false),
        loss,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('go-on' as const), events: fc.nat({ max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('behave' as const), which, behaviour }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('bad-disk' as const),
      failure,
      times: fc.integer({ min: 1, max: 9 }),
      after: fc.nat({ max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wall-clock' as const),
      minutes: fc.integer({ min: -3_000, max: 3_000 }),
    }),
  },
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

/** Each can be left out when a plan is made smaller. */
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 60 })

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined

/** Something to notify of, from the beginning on: a run that registers nothing shows nothing. */
const beginning = fc.uniqueArray(register, {
  minLength: 3,
  maxLength: 6,
  selector: ({ generation, type }) => `${generation}/${type}`,
})
const middle = fc.noBias(fc.array(optional(command), { minLength: 14, maxLength: 34, size: 'max' }))

export const plan: fc.Arbitrary<Plan> = fc
  .tuple(setup, beginning, middle)
  .map(([chosen, registrations, commands]) => ({
    setup: chosen,
    commands: [...registrations, ...commands.filter(isThere)],
  }))
