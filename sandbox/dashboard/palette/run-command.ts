import { faultKinds } from '../../../spec/faults.ts'
import { parseDuration } from '../../../spec/readings.ts'
import type { FaultRequest, Clock } from '../../../spec/generated/control-types.ts'
import type { Perform } from '../../compose/perform.ts'
import type { CommandRow } from '../../cli/command-table.ts'
import { parsePairs, type TextKind } from '../../cli/field-pairs.ts'
import type { Route } from '../state/route.ts'
import { splitWords, type CommandValues } from './command-text.ts'

/** What a command does in the page: a call of the control API, or a screen that shows what it would print. */
export type Runner = {
  /** The options that it heeds; the others are for a terminal. */
  readonly options: readonly string[]
} & (
  | { readonly kind: 'call'; run(perform: Perform, values: Values): Promise<unknown> }
  | { readonly kind: 'screen'; route(values: Values): Route }
)

/** What was filled in; empty for what was not. */
interface Values {
  text(name: string): string
  flag(name: string): boolean
  /** The names that have a text, with it. */
  given(...names: readonly string[]): Record<string, string>
  number(name: string): number | undefined
  /** `key=value key:=json …` as the terminal reads them. */
  fields(type: string, pairs: string): Record<string, unknown>
  /** The same by pointers such as `/items/amount`. */
  settings(pairs: string): Record<string, unknown>
}

export function readValues(
  values: CommandValues,
  { textFields = {} }: Pick<CommandRow, 'textFields'>,
): Values {
  const kindOf = (type = '', field = ''): TextKind => {
    const kinds = new Map(Object.entries(textFields[type] ?? {}))
    return kinds.get(field) ?? 'other'
  }
  const text = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    text,
    flag: (name) => values[name] === true,
    given: (...names) =>
      Object.fromEntries(
        names.flatMap((name) => (text(name) === '' ? [] : [[name.replace(/^--/, ''), text(name)]])),
      ),
    number: (name) => (text(name) === '' ? undefined : Number(text(name))),
    fields: (type, pairs) => parsePairs(splitWords(pairs), (key) => kindOf(type, key)),
    settings: (pairs) =>
      parsePairs(splitWords(pairs), (pointer) => {
        const [, type, field, ...deeper] = pointer.split('/')
        return deeper.length === 0 ? kindOf(type, field) : 'other'
      }),
  }
}

type Run = (perform: Perform, values: Values) => Promise<unknown>

const call = (run: Run, options: readonly string[] = []): Runner => ({ kind: 'call', run, options })
const screen = (route: (values: Values) => Route): Runner => ({ kind: 'screen', route, options: [] })
const PAGE = ['--limit', '--cursor']
const pageOf = ({ number, given }: Values) => {
  const limit = number('--limit')
  return { ...given('--cursor'), ...(limit !== undefined && { limit }) }
}
/** The options of a fault that are numbers, with their fields. */
const FAULT_NUMBERS: ReadonlyMap<string, string> = new Map([
  ['--times', 'times'],
  ['--skip', 'skip'],
  ['--probability', 'probability'],
  ['--seed', 'seed'],
  ['--copies', 'copies'],
  ['--status', 'status'],
  ['--retry-after', 'retry_after'],
  ['--revisions-back', 'revisions_back'],
])
const byId = ({ text }: Values) => ({ path: { id: text('id') } })

/** Those of the commands that the page can run; the others are for a terminal, which starts programs and has files. */
export const RUNNERS: Readonly<Record<string, Runner>> = {
  create: call((perform, { text, fields }) =>
    perform('createObject', { path: { type: text('type') }, body: fields(text('type'), text('fields')) }),
  ),
  show: call((perform, { text }) => perform('getObject', { path: { type: text('type'), id: text('id') } })),
  change: call((perform, { text, fields }) =>
    perform('changeObject', {
      path: { type: text('type'), id: text('id') },
      body: fields(text('type'), text('fields')),
    }),
  ),
  move: call((perform, { text }) =>
    perform('moveObject', { path: { type: text('type'), id: text('id') }, body: { to: text('state') } }),
  ),
  play: call(
    (perform, { text, given, number }) => {
      const amount = number('--amount')
      const rest = given('--outcome', '--via', '--currency', '--item', '--user', '--pace')
      return perform('playPayment', {
        body: { kind: text('kind'), ...rest, ...(amount !== undefined && { amount }) },
      })
    },
    ['--outcome', '--via', '--amount', '--currency', '--item', '--user', '--pace'],
  ),
  objects: screen(({ text }) => ({ screen: 'world', path: [text('type')] })),
  describe: screen(({ text }) => ({ screen: 'world', path: [text('type'), text('id')] })),
  next: call((perform, values) => perform('takePaymentStep', byId(values))),
  payments: call((perform, values) => perform('listPayments', { query: pageOf(values) }), PAGE),
  payment: call((perform, values) => perform('getPayment', byId(values))),
  'next-outcome': call(
    (perform, { text, flag }) => {
      const [kind, outcome] = [text('kind'), text('outcome')]
      if (flag('--clear'))
        return kind === '' ? perform('clearNextOutcomes') : perform('clearNextOutcome', { path: { kind } })
      if (kind === '') return perform('listNextOutcomes')
      return perform('setNextOutcome', { path: { kind }, body: { outcome } })
    },
    ['--clear'],
  ),
  jobs: screen(() => ({ screen: '', path: [] })),
  timeline: screen(() => ({ screen: '', path: [] })),
  job: screen(({ text }) => ({ screen: 'jobs', path: [text('id')] })),
  resend: call((perform, { text }) => perform('resendJob', { path: { id: text('job') } })),
  deliveries: call((perform, values) => perform('listDeliveries', { query: pageOf(values) }), PAGE),
  delivery: call((perform, values) => perform('getDelivery', byId(values))),
  requests: call(
    (perform, values) => {
      const { text, given } = values
      const [type, object] = [text('--type'), text('--object')]
      const filter = {
        ...(type !== '' && { object_type: type }),
        ...(object !== '' && { object_id: object }),
      }
      return perform('listRequests', { query: { ...pageOf(values), ...given('--operation'), ...filter } })
    },
    ['--type', '--object', '--operation', ...PAGE],
  ),
  registrations: call((perform) => perform('listRegistrations')),
  faults: call((perform) => perform('listFaults')),
  'faults add': call(
    (perform, values) => perform('addFault', { body: faultRequest(values) }),
    [...FAULT_NUMBERS.keys(), '--match', '--delay', '--set', '--body'],
  ),
  'faults remove': call((perform, values) => perform('removeFault', byId(values))),
  'faults clear': call((perform) => perform('clearFaults')),
  clock: call((perform) => perform('getClock')),
  'clock set': call(
    (perform, { text, number }) => {
      const speed = number('--speed')
      return perform('setClock', {
        body: { mode: parseMode(text('mode')), ...(speed !== undefined && { speed }) },
      })
    },
    ['--speed'],
  ),
  advance: call((perform, { text }) => {
    const by = text('by')
    return perform('advanceClock', { body: /^\d{4}-/.test(by) ? { to: by } : { by } })
  }),
  settle: call(
    (perform, { text }) => {
      const given = text('--timeout')
      return perform('settle', { body: given === '' ? {} : { timeout_ms: toMs(given, 1_000) } })
    },
    ['--timeout'],
  ),
  readings: call((perform) => perform('listReadings')),
  'readings set': call((perform, { text }) =>
    perform('setReadings', { body: { [text('id')]: text('option') } }),
  ),
  reset: call((perform) => perform('resetSandbox')),
}

/** A duration, or a number of the unit that the command takes. */
function toMs(text: string, unitMs: number): number {
  return parseDuration(text) ?? Number(text) * unitMs
}

/** Whatever is none is refused by the sandbox, in its own words. */
function parseMode(text: string): Clock['mode'] {
  const mode = (['real', 'compressed', 'manual'] as const).find((each) => each === text)
  if (mode === undefined)
    throw new RangeError(`Cannot set the clock to "${text}": it is real, compressed or manual`)
  return mode
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RangeError(`Cannot read "${text}": it is not JSON`)
  }
}

function faultRequest({ text, number, settings }: Values): FaultRequest {
  const match = Object.fromEntries(
    splitWords(text('--match')).map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new RangeError(`Cannot read match "${pair}": write it as key=value`)
      const [key, value] = [pair.slice(0, at), pair.slice(at + 1)]
      return [key, key === 'attempt' ? Number(value) : value]
    }),
  )
  const numbers = [...FAULT_NUMBERS].flatMap(([name, field]) => {
    const value = number(name)
    return value === undefined ? [] : [[field, value] as const]
  })
  const delay = text('--delay')
  const [set, body] = [text('--set'), text('--body')]
  return {
    on: text('on') === 'api' ? 'api' : 'delivery',
    kind: parseKind(text('kind')),
    ...(Object.keys(match).length > 0 && { match }),
    ...Object.fromEntries(numbers),
    ...(delay !== '' && { delay_ms: toMs(delay, 1) }),
    ...(set !== '' && { set: settings(set) }),
    ...(body !== '' && { body: parseJson(body) }),
  }
}

function parseKind(text: string): FaultRequest['kind'] {
  if (isKind(text)) return text
  throw new RangeError(`Cannot add fault "${text}": the kinds are ${KINDS.join(', ')}`)
}

const KINDS = Object.values(faultKinds).flatMap((kinds) => Object.keys(kinds))
const isKind = (text: string): text is FaultRequest['kind'] => KINDS.includes(text)

/** The options that are filled in and that only a terminal heeds. */
export function unheededOptions({ options }: Runner, values: CommandValues): string[] {
  return Object.keys(values).filter((name) => name.startsWith('--') && !options.includes(name))
}
