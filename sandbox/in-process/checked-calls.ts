import { types } from 'node:util'
import {
  checkArgument,
  isObjectWith,
  isText,
  object,
  optional,
  record,
  SEED_FIELDS,
  text,
  type ArgumentKind,
} from './arguments.ts'
import type { Sandbox } from './sandbox.ts'

type Argument = readonly [name: string, kind: ArgumentKind]
type MethodsWithArguments = {
  readonly [
    Name in keyof Sandbox as Sandbox[Name] extends (...given: infer Given) => unknown
      ? Given extends []
        ? never
        : Name
      : never
  ]: readonly Argument[]
}

const TYPE: Argument = ['type', text("an object type such as 'items'")]
const ID: Argument = ['id', text('the id of an object, such as item.id')]
const KIND: Argument = ['kind', text("a kind of payment such as 'card-payin'")]
const OPTIONS: Argument = ['options', optional(object('an object of options'))]
const MATCH: Argument = ['match', optional(object("an object such as { object_type: 'items' }"))]
const FIELDS = object('an object of fields, such as { amount: 1200 }')

/** The argument kinds of each method. A new method with arguments but without an entry here is a type error. */
const ARGUMENTS: MethodsWithArguments = {
  create: [TYPE, ['fields', SEED_FIELDS]],
  change: [TYPE, ID, ['fields', FIELDS]],
  move: [TYPE, ID, ['state', text("a state such as 'completed'")]],
  play: [KIND, OPTIONS],
  next: [['payment', record('the payment that play() resolves to')]],
  setNextOutcome: [KIND, ['outcome', text("a final state such as 'failed_direct_debit'")]],
  clearNextOutcomes: [['kind', optional(text("a kind of payment such as 'card-payin'"))]],
  advance: [
    [
      'by',
      { takes: "a duration such as '25m', or a Date", fits: (given) => isText(given) || types.isDate(given) },
    ],
  ],
  resend: [['job', record('a job, as jobs() lists it')]],
  deliver: [['request', object("an object such as { to: 'items', body: {} }")]],
  addFault: [['request', object("an object such as { on: 'delivery', kind: 'drop' }")]],
  removeFault: [['fault', record('the fault that addFault() resolves to')]],
  requests: [['filter', optional(object("an object such as { operation: 'showItem' }"))]],
  setReadings: [['chosen', object("an object such as { 'retry-window': '24h' }")]],
  setClock: [['request', object("an object such as { mode: 'manual' }")]],
  settle: [OPTIONS],
  restore: [['snapshot', object('the snapshot that snapshot() resolves to')]],
  attempts: [
    [
      'job',
      { takes: 'a job, as jobs() lists it', fits: (given) => isObjectWith(given, { attempts: 'number' }) },
    ],
  ],
  expectDelivery: [MATCH, OPTIONS],
  expectNoDelivery: [MATCH, OPTIONS],
  fetch: [
    [
      'request',
      {
        takes: 'a Request, such as new Request(`${sandbox.origin}/items`)',
        fits: (given) => isObjectWith(given, { url: 'string', method: 'string' }),
      },
    ],
  ],
}

/** The methods that resolve when every receiver has answered. */
const WAITING: ReadonlySet<string> = new Set<string & keyof Sandbox>([
  'create',
  'change',
  'move',
  'play',
  'next',
  'advance',
  'setClock',
  'settle',
  'resend',
  'deliver',
  'removeFault',
  'clearFaults',
  'reset',
  'restore',
  'expectNoDelivery',
  'close',
])

/** The only checked method that is not asynchronous. */
const SYNCHRONOUS: keyof Sandbox = 'attempts'

/** Makes each method check its arguments. Inside a receiver, the waiting methods reject, because they would wait for their own caller. */
export function checkCalls(sandbox: Sandbox, isInsideReceiver: () => boolean): Sandbox {
  const kindsByName = new Map<string, readonly Argument[]>(Object.entries(ARGUMENTS))
  for (const name of new Set([...kindsByName.keys(), ...WAITING])) {
    const method: unknown = Reflect.get(sandbox, name)
    if (typeof method !== 'function') throw new TypeError(`The sandbox has no method ${name}()`)
    const check = (given: readonly unknown[]) => {
      if (WAITING.has(name) && isInsideReceiver()) throw insideError(name)
      kindsByName
        .get(name)
        ?.forEach((argument, index) => checkArgument(`call ${name}()`, argument, given[index]))
    }
    const checked =
      name === SYNCHRONOUS
        ? (...given: readonly unknown[]): unknown => {
            check(given)
            return Reflect.apply(method, sandbox, given)
          }
        : async (...given: readonly unknown[]): Promise<unknown> => {
            check(given)
            // Awaits the call, so that the stack trace includes the test.
            return await Reflect.apply(method, sandbox, given)
          }
    Reflect.set(sandbox, name, checked)
  }
  return sandbox
}

function insideError(name: string): Error {
  return new Error(
    `Cannot call ${name}() inside a receiver: ${name}() waits until every receiver has answered, including this receiver. Answer first, or call the service with fetch`,
  )
}
