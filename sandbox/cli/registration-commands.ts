import { Command } from 'commander'
import { GENERATIONS, GENERATION_NOUNS } from '../../spec/delivery.ts'
import type { RegistrationRecord } from '../../spec/generated/control-types.ts'
import { commandLine, type CommandTarget } from '../engine/core/command-line.ts'
import { RefusedError } from '../client/requests.ts'
import type { Registrations, ServiceClient, ServiceRegistration } from '../client/service-client.ts'
import { describeAmbiguity, expandShortId, searchAmong } from '../engine/core/short-ids.ts'
import { controlCommand } from './control-command.ts'
import { withServiceClientOptions } from './credential-options.ts'
import { atOption, formatTable, pastQuery, type PastFlags } from './listing.ts'
import { connectService, registerCommand, type ServiceFlags } from './register-command.ts'
import { withManual } from './manual.ts'
import { print, withSandboxOptions } from './sandbox-flags.ts'

export function registrationCommands(): Command[] {
  return [
    registerCommand(),
    controlCommand({
      name: 'registrations',
      description: 'list the registered URLs, for webhooks and callbacks',
      examples: [
        ['registrations', ''],
        ['registrations --json', 'print the registrations with their times, for a script'],
      ],
      seeAlso: ['register', 'enable', 'disable', 'unregister'],
      options: [atOption()],
      call: (perform, flags: PastFlags) => perform('listRegistrations', { query: pastQuery(flags) }),
      text: ({ registrations }, flags) => formatRegistrations(registrations, flags),
    }),
    ...CHANGES.map(changeCommand),
  ]
}

interface RegistrationChange {
  readonly name: string
  readonly description: string
  readonly done: string
  readonly seeAlso: readonly string[]
  readonly change: (service: Registrations, registered: ServiceRegistration) => Promise<ServiceRegistration>
}

const CHANGES: readonly RegistrationChange[] = [
  {
    name: 'enable',
    description: 'enable a disabled registration, without a test of its URL',
    done: 'Enabled',
    seeAlso: ['disable', 'registrations'],
    change: (service, { id }) => service.enable(id, true),
  },
  {
    name: 'disable',
    description: 'disable a registration without deleting it',
    done: 'Disabled',
    seeAlso: ['enable', 'unregister'],
    change: (service, { id }) => service.enable(id, false),
  },
  {
    name: 'unregister',
    description: 'delete a registration',
    done: 'Deleted',
    seeAlso: ['disable', 'register'],
    async change(service, registered) {
      await service.remove(registered.id)
      return registered
    },
  },
]

function changeCommand({ name, description, done, seeAlso, change }: RegistrationChange): Command {
  const command = withManual(new Command(name), {
    examples: [
      [`${name} REGISTRATION`, 'choose the registration by its id, or by the first characters of the id'],
      [`${name} REGISTRATION --json`, 'print the registration as the service shows it'],
    ],
    exitCodes: { 1: 'the service rejected the change' },
    seeAlso,
  })
    .description(description)
    .argument('<id>', 'the id of the registration, from "npx hookbench registrations"')
  return withSandboxOptions(withServiceClientOptions(command)).action(
    async (id: string, flags: ServiceFlags) => {
      const { generation, service, registered } = await findRegistration(id, await connectService(flags))
      const { registration } = await change(service, registered)
      const { object_type, url } = registration
      print(
        registration,
        `${done} ${GENERATION_NOUNS[generation]} ${registered.id} for ${object_type} at ${url}`,
        flags,
      )
    },
  )
}

/** Searches webhooks and callbacks for a registration, because the id does not show the generation. */
async function findRegistration(given: string, client: ServiceClient) {
  const known = await Promise.all(
    GENERATIONS.map(async (generation) => {
      const service = client[generation]
      return (await service.list()).map((registered) => ({ generation, service, registered }))
    }),
  )
  const rows = known.flat()
  const ids = expandShortId(given, searchAmong(rows.map(({ registered }) => registered.id)))
  if (ids.length > 1) {
    const remedy = { hint: 'give more characters of the id' }
    throw new RefusedError(describeAmbiguity(given, ids), { code: 'ambiguous_id', field: 'id', ...remedy })
  }
  const found = rows.find(({ registered }) => registered.id === ids[0])
  if (found) return found
  const remedy = { hint: 'list them', command: 'registrations' }
  throw new RefusedError(`Cannot find registration "${given}"`, { code: 'not_found', field: 'id', ...remedy })
}

export function formatRegistrations(registrations: readonly RegistrationRecord[], target: CommandTarget) {
  if (registrations.length === 0) {
    return `No registrations. Register a receiver with "${commandLine('register URL --type items', target)}"`
  }
  return formatTable(
    ['REGISTRATION', 'BY', 'TYPE', 'ENABLED', 'URL'],
    registrations.map(({ id, generation, object_type, enabled, url }) => [
      id,
      GENERATION_NOUNS[generation],
      object_type,
      enabled ? 'yes' : 'no',
      url,
    ]),
  )
}
