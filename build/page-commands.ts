import { OPERATIONS, type OperationId } from '../spec/generated/control-operations.ts'
import type { OperationRow } from '../spec/rows.ts'
import { loadCommands, SANDBOX_COMMANDS, type CommandSource } from '../sandbox/cli/command-sources.ts'
import { toCommandRows, type CommandRow } from '../sandbox/cli/command-table.ts'
import { listTextFields } from '../sandbox/cli/fields.ts'
import type { CommandCall, PageCommand, Source } from '../sandbox/dashboard/state/page-ports.ts'

interface PageDeed extends Pick<PageCommand, 'route'> {
  readonly calls?: readonly PageCall[]
}

type PageCall = Partial<CommandCall> & { readonly operation: OperationId }

/**
 * Describes a command that calls one operation. `input` lists values that need conversion, or whose argument or option has a
 * different name than the field.
 */
const call = (operation: OperationId, input: Omit<PageCall, 'operation'> = {}) => ({
  calls: [{ operation, ...input }],
})
const screen = (name: string, ...path: readonly string[]) => ({ route: { screen: name, path } })

/** The CLI commands that the dashboard can run. Other commands start programs or read files. */
export const COMMAND_CALLS: Readonly<Record<string, PageDeed>> = {
  create: call('createObject', { body: 'fields fields' }),
  show: call('getObject'),
  change: call('changeObject', { body: 'fields fields' }),
  move: call('moveObject', { body: { to: 'state' } }),
  play: call('playPayment'),
  objects: screen('world', 'type'),
  describe: screen('world', 'type', 'id'),
  next: call('takePaymentStep'),
  'payments kinds': screen('workshop', '=payments'),
  payments: call('listPayments'),
  payment: call('getPayment'),
  'next-outcome': {
    calls: [
      { operation: 'clearNextOutcomes', given: ['--clear'] },
      { operation: 'setNextOutcome', given: ['kind'] },
      { operation: 'listNextOutcomes' },
    ],
  },
  jobs: screen(''),
  timeline: screen(''),
  job: screen('jobs', 'id'),
  resend: call('resendJob', { path: { id: 'job' } }),
  deliveries: call('listDeliveries'),
  delivery: call('getDelivery'),
  requests: call('listRequests', { query: { object_type: '--type', object_id: '--object' } }),
  registrations: call('listRegistrations'),
  faults: screen('workshop', '=faults'),
  'faults kinds': screen('workshop', '=faults'),
  'faults add': call('addFault', {
    body: {
      match: '--match match',
      delay_ms: '--delay ms',
      set: '--set settings',
      body: '--body json',
    },
  }),
  'faults remove': call('removeFault'),
  'faults clear': call('clearFaults'),
  clock: call('getClock'),
  'clock set': call('setClock'),
  advance: call('advanceClock', { body: { to: 'by instant', by: 'by duration' } }),
  settle: call('settle', { body: { timeout_ms: '--timeout seconds' } }),
  readings: screen('workshop', '=readings'),
  'readings set': call('setReadings', { body: { '{id}': 'option' } }),
  reset: call('resetSandbox'),
  worlds: call('listWorlds'),
  'worlds add': call('addWorld', { body: { ttl_seconds: '--ttl lifetime' } }),
  'worlds copy': call('copyWorld', { path: { name: 'source' }, body: { ttl_seconds: '--ttl lifetime' } }),
  'worlds show': call('getWorld'),
  'worlds remove': call('removeWorld'),
}

/** Lists all CLI commands with the API calls that the dashboard makes for each command. */
export async function listCommands(): Promise<readonly PageCommand[]> {
  const launcher: { readonly OTHER_COMMANDS: readonly CommandSource[] } = await import(
    new URL('../bin/launch.js', import.meta.url).href
  )
  const rows = toCommandRows(await loadCommands([...SANDBOX_COMMANDS, ...launcher.OTHER_COMMANDS], undefined))
  const textFields = listTextFields()
  return rows.map((row) => {
    const { calls, ...deed } = COMMAND_CALLS[row.name] ?? {}
    const completed = calls && { calls: calls.map((each) => completeCall(each, row)) }
    return { ...row, ...(takesFields(row) && { textFields }), ...deed, ...completed }
  })
}

function takesFields({ arguments: words, options }: CommandRow): boolean {
  return words.some(({ name }) => name === 'fields') || options.some(({ name }) => name === '--set')
}

/** Fills each field of the operation from the argument or option with the same name. */
function completeCall({ operation, given = [], path, query, body }: PageCall, row: CommandRow): CommandCall {
  const { params, query: queryFields, body: request }: OperationRow = OPERATIONS[operation]
  const names = [...row.arguments, ...row.options].map(({ name }) => name)
  const sourcesOf = (types: ReadonlyMap<string, string>) =>
    Object.fromEntries(
      names.flatMap((name): [string, Source][] => {
        const field = name.replace(/^--/, '').replaceAll('-', '_')
        const type = types.get(field)
        if (type === undefined) return []
        return [[field, type === 'integer' || type === 'number' ? `${name} number` : name]]
      }),
    )
  const queryTypes = Object.entries(queryFields).map(([name, { type }]) => [name, type] as const)
  return {
    operation,
    given,
    path: { ...sourcesOf(new Map(params.map((name) => [name, 'string']))), ...path },
    query: { ...sourcesOf(new Map(queryTypes)), ...query },
    ...(request && {
      body:
        typeof body === 'string' ? body : { ...sourcesOf(new Map(Object.entries(request.fields))), ...body },
    }),
  }
}
