import type { OperationId } from '../../../spec/generated/control-operations.ts'
import type { CommandCall, PageCommand, Source } from '../state/page-ports.ts'

type PageCall = CommandCall & { readonly operation: OperationId }
type PageDeed =
  { readonly calls: readonly PageCall[] } | { readonly route: NonNullable<PageCommand['route']> }

const call = (operation: OperationId, input: Omit<PageCall, 'operation'> = {}): PageDeed => ({
  calls: [{ operation, ...input }],
})
const screen = (name: string, ...path: readonly string[]): PageDeed => ({ route: { screen: name, path } })

/** Takes options under their own names. */
const options = (names: readonly string[], kind = ''): Readonly<Record<string, Source>> =>
  Object.fromEntries(
    names.map((name) => [name.replaceAll('-', '_'), kind === '' ? `--${name}` : `--${name} ${kind}`]),
  )

const [id, type] = [{ id: 'id' }, { type: 'type' }]
const object = { ...type, ...id }
const name = { name: 'name' }
const page = { limit: '--limit number', cursor: '--cursor' }

/** The commands that the page can run. The others start programs or read files. */
export const COMMAND_CALLS: Readonly<Record<string, PageDeed>> = {
  create: call('createObject', { path: type, body: 'fields fields' }),
  show: call('getObject', { path: object }),
  change: call('changeObject', { path: object, body: 'fields fields' }),
  move: call('moveObject', { path: object, body: { to: 'state' } }),
  play: call('playPayment', {
    body: {
      kind: 'kind',
      ...options(['outcome', 'via', 'currency', 'item', 'user', 'pace']),
      ...options(['amount'], 'number'),
    },
  }),
  objects: screen('world', 'type'),
  describe: screen('world', 'type', 'id'),
  next: call('takePaymentStep', { path: id }),
  'payments kinds': screen('workshop', '=payments'),
  payments: call('listPayments', { query: page }),
  payment: call('getPayment', { path: id }),
  'next-outcome': {
    calls: [
      { operation: 'clearNextOutcomes', given: ['--clear'], query: { kind: 'kind' } },
      { operation: 'setNextOutcome', given: ['kind'], body: { kind: 'kind', outcome: 'outcome' } },
      { operation: 'listNextOutcomes' },
    ],
  },
  jobs: screen(''),
  timeline: screen(''),
  job: screen('jobs', 'id'),
  resend: call('resendJob', { path: { id: 'job' } }),
  deliveries: call('listDeliveries', { query: page }),
  delivery: call('getDelivery', { path: id }),
  requests: call('listRequests', {
    query: { ...page, operation: '--operation', object_type: '--type', object_id: '--object' },
  }),
  registrations: call('listRegistrations'),
  faults: screen('workshop', '=faults'),
  'faults kinds': screen('workshop', '=faults'),
  'faults add': call('addFault', {
    body: {
      on: 'on',
      kind: 'kind',
      match: '--match match',
      ...options(
        ['times', 'skip', 'probability', 'seed', 'copies', 'status', 'retry-after', 'revisions-back'],
        'number',
      ),
      delay_ms: '--delay ms',
      at: '--at',
      set: '--set settings',
      body: '--body json',
    },
  }),
  'faults remove': call('removeFault', { path: id }),
  'faults clear': call('clearFaults'),
  clock: call('getClock'),
  'clock set': call('setClock', { body: { mode: 'mode', speed: '--speed number' } }),
  advance: call('advanceClock', { body: { to: 'by instant', by: 'by duration' } }),
  settle: call('settle', { body: { timeout_ms: '--timeout seconds' } }),
  readings: screen('workshop', '=readings'),
  'readings set': call('setReadings', { body: { '{id}': 'option' } }),
  reset: call('resetSandbox'),
  worlds: call('listWorlds'),
  'worlds add': call('addWorld', {
    body: { ...name, ...options(['seed', 'speed'], 'number'), ttl_seconds: '--ttl lifetime' },
  }),
  'worlds copy': call('copyWorld', {
    path: { name: 'source' },
    body: { ...name, ttl_seconds: '--ttl lifetime' },
  }),
  'worlds show': call('getWorld', { path: name }),
  'worlds remove': call('removeWorld', { path: name }),
}
