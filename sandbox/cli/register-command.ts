import { Command, Option } from 'commander'
import { deliveredTypes } from '../../spec/delivery.ts'
import { RefusedError } from '../client/requests.ts'
import type { Registered, Registrations } from '../client/service-client.ts'
import type { Generation } from '../engine/state/entries.ts'
import { print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { withClientOptions, type CredentialFlags } from './credential-options.ts'
import { UsageError } from './failure.ts'
import { unknownType } from './object-type.ts'
import { refuseNoUrl } from './receiver-url.ts'
import { serviceOf } from './service-of.ts'

interface RegisterFlags extends BenchFlags, CredentialFlags {
  readonly type: string
  readonly generation: Generation
  readonly description?: string
  readonly replace?: boolean
}

export function registerCommand(): Command {
  const command = new Command('register')
    .description('register a receiver for an object type; it must answer the test POST with success')
    .summary('register a receiver for an object type')
    .argument('<url>', 'its HTTPS URL')
    .requiredOption('--type <type>', 'object type, such as items')
    .addOption(
      new Option('--generation <generation>', 'what it is registered as')
        .choices(['webhooks', 'callbacks'])
        .default('webhooks'),
    )
    .option('--description <text>', 'a note of your own')
    .option('--replace', 'point the registration that is enabled for the type at this URL, if there is one')
  return withBenchOptions(withClientOptions(command)).action(async (url: string, flags: RegisterFlags) => {
    refuseNoUrl('register', url)
    if (!deliveredTypes.includes(flags.type)) throw new UsageError(unknownType(flags.type, deliveredTypes))
    const service = (await serviceOf(flags))[flags.generation]
    const { id, registration } = await registered(service, { ...flags, url })
    const name = `${WORDS[flags.generation]} ${id}`
    print(registration, `Registered ${registration.url} for ${registration.object_type} as ${name}`, flags)
  })
}

const WORDS = { webhooks: 'webhook', callbacks: 'callback' } as const satisfies Record<Generation, string>

type Wish = Pick<RegisterFlags, 'type' | 'description' | 'replace'> & { readonly url: string }

async function registered(
  service: Registrations,
  { url, type, description, replace = false }: Wish,
): Promise<Registered> {
  const present = await enabledOf(type, service)
  if (replace && present) return service.pointAt(present.id, url)
  try {
    return await service.create({
      url,
      object_type: type,
      ...(description === undefined ? {} : { description }),
    })
  } catch (error) {
    if (!(error instanceof RefusedError) || !present) throw error
    throw new RefusedError(error.message, { hint: 'or point it at this URL with --replace' })
  }
}

/** The one that stands in the way of another for the type. */
async function enabledOf(type: string, service: Registrations): Promise<Registered | undefined> {
  const all = await service.list()
  return all.find(({ registration }) => registration.enabled && registration.object_type === type)
}
