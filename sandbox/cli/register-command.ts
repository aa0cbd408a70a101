import { Command, Option } from 'commander'
import { callbackTypes, GENERATION_NOUNS, type Generation } from '../../spec/delivery.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import { findTrustedCas, serviceUrlBeside } from '../client/control-address.ts'
import { RefusedError } from '../client/requests.ts'
import {
  createServiceClient,
  type Registrations,
  type ServiceClient,
  type ServiceRegistration,
} from '../client/service-client.ts'
import { choice } from './control-command.ts'
import { findCredentials, withServiceClientOptions, type CredentialFlags } from './credential-options.ts'
import { UsageError } from './failure.ts'
import { collect, refuseUnknown, requireHttpsUrl } from './option-values.ts'
import { connect, findAddress, print, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'
import { withManual } from './manual.ts'

export interface ServiceFlags extends SandboxFlags, CredentialFlags {}

interface RegisterFlags extends ServiceFlags {
  readonly type?: readonly string[]
  readonly generation: Generation
  readonly description?: string
  readonly replace?: boolean
}

const TYPE_VARIABLE = '{object_type}'

export function registerCommand(): Command {
  const command = withManual(new Command('register'), {
    about: [
      'The certificate must come from a known CA (a public CA, receiver.ca or the local CA), with the complete chain. The certificate must be currently valid, allow server use, and list the host as a subject alternative name. RSA keys need at least 2048 bits. The connection must use TLS 1.2 or 1.3. The sandbox does not check revocation (OCSP or CRL).',
      'The command stops at the first rejected type. Types that are already registered stay registered, so you can run the command again.',
      'The command calls the service with the credentials of the world, unless you give other credentials. The command rejects a client id that does not belong to the world in --world.',
    ],
    examples: [
      ['register https://localhost:9443/hooks --type items --type transactions', 'register two types'],
      ["register 'https://localhost:9443/hooks/{object_type}'", 'register every type'],
      [
        'register https://localhost:9443/hooks --type items --replace',
        'replace the current registration of the type',
      ],
    ],
    exitCodes: {
      1: 'the service rejected the registration, for example because the receiver did not answer the test POST',
    },
    seeAlso: ['cert', 'registrations', 'doctor', 'check'],
  })
    .description(
      'register a receiver for object types. The receiver must accept each test POST. A second registration of the same URL changes nothing',
    )
    .summary('register a receiver for object types')
    .argument('<url>', `the HTTPS URL of the receiver; the object type replaces ${TYPE_VARIABLE}`)
    .addOption(
      new Option(
        '--type <type>',
        `the type of the objects (repeatable, default: every type if the URL has ${TYPE_VARIABLE})`,
      )
        .choices(notifiedTypes)
        .argParser(collect),
    )
    .addOption(
      choice('--generation <generation>', 'the generation of the registration', [
        'webhooks',
        'callbacks',
      ]).default('webhooks'),
    )
    .option('--description <text>', 'a note for the registration')
    .option('--replace', 'replace the URL of the registration that is enabled for the type, if any')
  return withSandboxOptions(withServiceClientOptions(command)).action(
    async (url: string, flags: RegisterFlags) => {
      requireUrlPattern(url, flags)
      const types = await listTypes(flags)
      const service = (await connectService(flags))[flags.generation]
      await registerAll(toRequests(url, types, flags), service, flags)
    },
  )
}

export async function connectService(flags: ServiceFlags): Promise<ServiceClient> {
  const { url, trustedCas } = findAddress(flags)
  const perform = connect(flags)
  const { service_url } = await perform('getHealth')
  // On loopback, the service API can use HTTPS while the control API uses HTTP.
  const isSecured = service_url.startsWith('https:')
  const cas = isSecured ? (trustedCas ?? findTrustedCas(flags.data, process.env)) : undefined
  return createServiceClient(serviceUrlBeside(url, service_url), await findCredentials(flags, perform), cas)
}

function requireUrlPattern(url: string, { type = [] }: RegisterFlags): void {
  const example = url.replaceAll(TYPE_VARIABLE, 'items')
  const other = /\{\w*\}/.exec(example)?.[0]
  if (other !== undefined) {
    throw new UsageError(`Cannot register "${url}": ${other} is not a variable. Write ${TYPE_VARIABLE}`)
  }
  requireHttpsUrl('register', example)
  if (type.length === 0 && example === url) {
    throw new UsageError(
      `Cannot register "${url}": the type is unknown. Name the type with --type, or write ${TYPE_VARIABLE} in the URL for every type`,
    )
  }
}

async function listTypes(flags: RegisterFlags): Promise<readonly string[]> {
  const names = await listGenerationTypes(flags)
  if (flags.type === undefined) return names
  const unknown = flags.type.find((each) => !names.includes(each))
  if (unknown !== undefined)
    refuseUnknown(`use object type "${unknown}" for ${flags.generation}`, unknown, { noun: 'type', names })
  return [...new Set(flags.type)]
}

// Returns the object types that can be registered in a generation. Source: §2.2. Reading: callback-list
async function listGenerationTypes(flags: RegisterFlags): Promise<readonly string[]> {
  if (flags.generation === 'webhooks') return DELIVERY.object_types.webhooks.value
  const { readings } = await connect(flags)('listReadings')
  const list = readings.find(({ id }) => id === 'callback-list')?.value
  return callbackTypes(list === 'earlier' ? list : 'current')
}

interface Wanted {
  readonly url: string
  readonly object_type: string
  readonly description?: string
}

function toRequests(url: string, types: readonly string[], { description }: RegisterFlags): Wanted[] {
  const note = description === undefined ? {} : { description }
  return types.map((type) => ({ url: url.replaceAll(TYPE_VARIABLE, type), object_type: type, ...note }))
}

/** Registers the types one by one, and stops at the first rejection. Repeating the command leaves registered types unchanged. */
async function registerAll(wanted: readonly Wanted[], service: Registrations, flags: RegisterFlags) {
  const lines: string[] = []
  const registered: ServiceRegistration['registration'][] = []
  const isOne = wanted.length === 1
  try {
    for (const each of wanted) {
      const { line, registration } = await registerOne(each, service, flags)
      lines.push(line)
      registered.push(registration)
    }
  } catch (error) {
    if (isOne || !(error instanceof RefusedError)) throw error
    const { message, hint, command, code, field } = error
    const type = wanted[registered.length]?.object_type
    throw new RefusedError(`Cannot register ${type}: ${message}`, { hint, command, code, field })
  } finally {
    if (registered.length > 0)
      print(isOne ? registered[0] : { registrations: registered }, lines.join('\n'), flags)
  }
}

async function registerOne(wanted: Wanted, service: Registrations, { generation, replace }: RegisterFlags) {
  const { url, object_type, description } = wanted
  const present = (await service.list()).find(
    ({ registration }) => registration.enabled && registration.object_type === object_type,
  )
  const name = (id: string) => `${GENERATION_NOUNS[generation]} ${id}`
  if (
    present &&
    new URL(present.registration.url).href === new URL(url).href &&
    (description ?? present.registration.description) === present.registration.description
  ) {
    const line = `Unchanged: ${url} is already registered for ${object_type}, as ${name(present.id)}`
    return { line, registration: present.registration }
  }
  const { id, registration } =
    replace === true && present
      ? await service.pointAt(present.id, wanted)
      : await createOne(wanted, service, present)
  return { line: `Registered ${registration.url} for ${object_type} as ${name(id)}`, registration }
}

async function createOne(wanted: Wanted, service: Registrations, present: ServiceRegistration | undefined) {
  try {
    return await service.create(wanted)
  } catch (error) {
    // Suggests --replace only if the type is already registered, because the option does not help after other rejections.
    if (!(error instanceof RefusedError) || error.field !== 'object_type' || !present) throw error
    throw new RefusedError(error.message, { hint: 'or replace its URL with --replace' })
  }
}
