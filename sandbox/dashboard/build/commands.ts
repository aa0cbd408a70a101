import type { OperationId } from '../../../spec/generated/control-operations.ts'
import { loadCommands, SANDBOX_COMMANDS, type CommandSource } from '../../cli/command-sources.ts'
import { toCommandRows, type CommandRow } from '../../cli/command-table.ts'
import { listTextFields } from '../../cli/fields.ts'
import type { CommandCall, PageCommand, Source } from '../state/page-ports.ts'

type PageCall = CommandCall & { readonly operation: OperationId }
type PageDeed =
  { readonly calls: readonly PageCall[] } | { readonly route: NonNullable<PageCommand['route']> }

const call = (operation: OperationId, input: Omit<PageCall, 'operation'> = {}): PageDeed => ({
  calls: [{ operation, ...input }],
})
const screen = (name: string, ...path: readonly string[]): PageDeed => ({ route: { screen: name, path } })

/** Takes options under their own names. */
const sources = (names: readonly string[], kind = ''): Readonly<Record<string, Source>> =>
  Object.fromEntries(
    names.map((name) => [name.replaceAll('-', '_'), kind === '' ? `--${name}` : `--${name} ${kind}`]),
  )

const [id, type] = [{ id: 'id' }, { type: 'type' }]
const object = { ...type, ...id }
const ofName = { name: 'name' }
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
      ...sources(['outcome', 'via', 'currency', 'item', 'user', 'pace']),
      ...sources(['amount'], 'number'),
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
      ...sources(
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
    body: { ...ofName, ...sources(['seed', 'speed'], 'number'), ttl_seconds: '--ttl lifetime' },
  }),
  'worlds copy': call('copyWorld', {
    path: { name: 'source' },
    body: { ...ofName, ttl_seconds: '--ttl lifetime' },
  }),
  'worlds show': call('getWorld', { path: ofName }),
  'worlds remove': call('removeWorld', { path: ofName }),
}

/** Lists every command of the program with its calls in the page. */
export async function listCommands(): Promise<readonly PageCommand[]> {
  const launcher: { readonly OTHER_COMMANDS: readonly CommandSource[] } = await import(
    new URL('../../../bin/launch.js', import.meta.url).href
  )
  const rows = toCommandRows(await loadCommands([...SANDBOX_COMMANDS, ...launcher.OTHER_COMMANDS], undefined))
  const textFields = listTextFields()
  return rows.map((row) => ({ ...row, ...(takesFields(row) && { textFields }), ...COMMAND_CALLS[row.name] }))
}

function takesFields({ arguments: words, options }: CommandRow): boolean {
  return words.some(({ name }) => name === 'fields') || options.some(({ name }) => name === '--set')
}
