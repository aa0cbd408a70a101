import { Command } from 'commander'
import type { RegistrationRecord } from '../../spec/generated/control-types.ts'
import { deliveredTypes, type Generation } from '../../spec/delivery.ts'
import { commandLine } from '../adapters/command-line.ts'
import { readCaCertificate } from '../adapters/data-folder.ts'
import { RefusedError } from '../client/requests.ts'
import {
  createServiceClient,
  type ServiceRegistration,
  type Registrations,
  type ServiceClient,
} from '../client/service-client.ts'
import { choice, controlCommand } from './control-command.ts'
import { resolveCredentials, withClientOptions, type CredentialFlags } from './credential-options.ts'
import { formatTable } from './listing.ts'
import { refuseUnknown, requireHttpsUrl } from './option-values.ts'
import { connect, print, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'

interface ServiceFlags extends SandboxFlags, CredentialFlags {}

interface RegisterFlags extends ServiceFlags {
  readonly type: string
  readonly generation: Generation
  readonly description?: string
  readonly replace?: boolean
}

export function registrationCommands(): Command[] {
  return [
    registerCommand(),
    controlCommand({
      name: 'registrations',
      description: 'list who is notified, by webhook or by callback',
      call: (perform) => perform('listRegistrations'),
      text: ({ registrations }, { data }) => formatRegistrations(registrations, data),
    }),
    ...CHANGES.map(changeCommand),
  ]
}

const WORDS = { webhooks: 'webhook', callbacks: 'callback' } as const satisfies Record<Generation, string>

function registerCommand(): Command {
  const command = new Command('register')
    .description('register a receiver for an object type; it must answer the test POST with success')
    .summary('register a receiver for an object type')
    .argument('<url>', 'its HTTPS URL')
    .requiredOption('--type <type>', 'object type, such as items')
    .addOption(
      choice('--generation <generation>', 'what it is registered as', ['webhooks', 'callbacks']).default(
        'webhooks',
      ),
    )
    .option('--description <text>', 'a note of your own')
    .option('--replace', 'point the registration that is enabled for the type at this URL, if there is one')
  return withSandboxOptions(withClientOptions(command)).action(async (url: string, flags: RegisterFlags) => {
    requireHttpsUrl('register', url)
    if (!deliveredTypes.includes(flags.type)) {
      const choices = { noun: 'type', names: deliveredTypes }
      refuseUnknown(`use object type "${flags.type}"`, flags.type, choices)
    }
    const service = (await connectService(flags))[flags.generation]
    const { id, registration } = await register(url, flags, service)
    const name = `${WORDS[flags.generation]} ${id}`
    print(registration, `Registered ${registration.url} for ${registration.object_type} as ${name}`, flags)
  })
}

/** The service of the running sandbox, as a platform calls it. */
async function connectService(flags: ServiceFlags): Promise<ServiceClient> {
  const { service_url } = await connect(flags)('getHealth')
  return createServiceClient(service_url, resolveCredentials(flags), readCaCertificate({ path: flags.data }))
}

async function register(
  url: string,
  flags: RegisterFlags,
  service: Registrations,
): Promise<ServiceRegistration> {
  const { type, description, replace = false } = flags
  const present = (await service.list()).find(
    ({ registration }) => registration.enabled && registration.object_type === type,
  )
  if (replace && present) return service.pointAt(present.id, url)
  const note = description === undefined ? {} : { description }
  try {
    return await service.create({ url, object_type: type, ...note })
  } catch (error) {
    // Any other refusal would be one of --replace, too.
    if (!(error instanceof RefusedError) || error.field !== 'object_type' || !present) throw error
    throw new RefusedError(error.message, { hint: 'or point it at this URL with --replace' })
  }
}

/** A command that changes one registration through the service. */
interface RegistrationChange {
  readonly name: string
  readonly description: string
  readonly done: string
  readonly change: (service: Registrations, registered: ServiceRegistration) => Promise<ServiceRegistration>
}

const CHANGES: readonly RegistrationChange[] = [
  {
    name: 'enable',
    description: 'notify a registration again; its URL is not tested',
    done: 'Enabled',
    change: (service, { id }) => service.enable(id, true),
  },
  {
    name: 'disable',
    description: 'stop notifying a registration, but keep it',
    done: 'Disabled',
    change: (service, { id }) => service.enable(id, false),
  },
  {
    name: 'unregister',
    description: 'delete a registration',
    done: 'Deleted',
    async change(service, registered) {
      await service.remove(registered.id)
      return registered
    },
  },
]

function changeCommand({ name, description, done, change }: RegistrationChange): Command {
  const command = new Command(name)
    .description(description)
    .argument('<id>', 'its id, as "npx hookbench registrations" lists it')
  return withSandboxOptions(withClientOptions(command)).action(async (id: string, flags: ServiceFlags) => {
    const { generation, service, registered } = await findRegistration(id, await connectService(flags))
    const { registration } = await change(service, registered)
    const { object_type, url } = registration
    print(registration, `${done} ${WORDS[generation]} ${id} for ${object_type} at ${url}`, flags)
  })
}

/** A webhook or a callback: an id does not tell which. */
async function findRegistration(id: string, client: ServiceClient) {
  for (const generation of ['webhooks', 'callbacks'] as const) {
    const service = client[generation]
    const registered = (await service.list()).find((each) => each.id === id)
    if (registered) return { generation, service, registered }
  }
  const remedy = { hint: 'list them', command: 'registrations' }
  throw new RefusedError(`Cannot find registration "${id}"`, { code: 'not_found', field: 'id', ...remedy })
}

const HEADINGS = ['REGISTRATION', 'BY', 'TYPE', 'ENABLED', 'URL']

/** Registrations of both generations in a table. */
export function formatRegistrations(registrations: readonly RegistrationRecord[], folder: string): string {
  if (registrations.length === 0) {
    return `Nobody is registered; register with "${commandLine('register URL --type items', folder)}"`
  }
  return formatTable(
    HEADINGS,
    registrations.map(({ id, generation, object_type, enabled, url }) => [
      id,
      WORDS[generation],
      object_type,
      enabled ? 'yes' : 'no',
      url,
    ]),
  )
}
