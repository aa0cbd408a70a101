import { CONFIG_DEFAULTS } from '../../spec/generated/config-schemas.ts'
import type { ConfigFile, ServiceConfig } from '../../spec/generated/config-types.ts'
import { isWorldName, WORLD_NAME_TAKES } from '../../spec/world-name.ts'
import type { AttachedService, OwnService } from '../toolkit/options.ts'
import type { ConfigContext } from './config-context.ts'
import type { Refuse } from './receiver-options.ts'
import {
  commandLine,
  defaultCredentials,
  isReadableByOthers,
  type ControlAddress,
  type Credentials,
} from '../../sandbox/internal.ts'

const NEW = 'new'

/** The default lifetime of a new world, in seconds. The lifetime is an hour longer than a run of all checks takes. */
const LIFETIME_SECONDS = 7_200

/** Throws UnreachableError if no running sandbox is found. */
export function serviceOptions(
  config: ConfigFile,
  context: ConfigContext,
  refuse: Refuse,
): OwnService | AttachedService {
  const { service = {} } = config
  const data = config.data ?? CONFIG_DEFAULTS.data
  const given = { ...config.credentials, ...context.credentials }
  if (service.attach === undefined) {
    return {
      kind: 'own',
      port: config.port ?? CONFIG_DEFAULTS.port,
      data,
      allowTargets: config.allowTargets ?? [],
      credentials: { ...defaultCredentials, ...given },
    }
  }
  const world = findWorld(service, context, refuse)
  if (world !== NEW && service.ttlSeconds !== undefined)
    refuse(
      'service.ttlSeconds',
      'requires "service.world" to be "new", because a run does not remove an existing world',
    )
  return {
    kind: 'attached',
    ...findBench(service, data, { ...context, refuse }),
    ...(world === NEW
      ? newWorld(config, given, { ...context, refuse })
      : { world, ownWorld: undefined, given, credentials: { ...defaultCredentials, ...given } }),
    data,
    trustedCas: context.findTrustedCas(data),
    keepsWorld: false,
    isConducted: false,
  }
}

interface Refusing {
  readonly refuse: Refuse
}

/** Creates the name and credentials of a new world. The credentials are created early, so that reports can mask them. */
function newWorld(
  { service = {}, receiver = {}, process }: ConfigFile,
  given: Partial<Credentials>,
  { freshName, freshSecret, refuse }: ConfigContext & Refusing,
): Pick<AttachedService, 'world' | 'ownWorld' | 'credentials'> {
  const isToBeTold = Object.keys(given).length === 0 && receiver.callsBack !== false
  if (isToBeTold && process === undefined) {
    refuse(
      'service.world',
      'is "new", but your receiver does not know the credentials of this world. Set "process.start", which receives these credentials. Or pass the credentials of your receiver (--client-id and --client-secret, --email and --api-token, HOOKBENCH_CLIENT_ID and so on, or "credentials"). Or pass --no-calls-back, or set "receiver.callsBack" to false',
    )
  }
  const name = `check-${freshName()}`
  return {
    world: name,
    ownWorld: { name, lifetimeSeconds: service.ttlSeconds ?? LIFETIME_SECONDS, isToBeTold },
    credentials: { ...fillIn(name, given, freshSecret), ...given },
  }
}

/**
 * Returns the missing credentials. Completes a client or user with the default if one value is given, and generates both values
 * otherwise.
 */
function fillIn(name: string, given: Partial<Credentials>, freshSecret: () => string): Credentials {
  const hasClient = given.client_id !== undefined || given.client_secret !== undefined
  const hasUser = given.email !== undefined || given.api_token !== undefined
  const { client_id, client_secret, email, api_token } = defaultCredentials
  return {
    ...(hasClient ? { client_id, client_secret } : { client_id: name, client_secret: freshSecret() }),
    ...(hasUser ? { email, api_token } : { email: `${name}@hookbench.test`, api_token: freshSecret() }),
  }
}

function findBench(
  { attach, ...service }: ServiceConfig,
  data: string,
  context: ConfigContext & Refusing,
): ControlAddress {
  if (typeof attach === 'string') {
    const url = attach.replace(/\/+$/, '')
    if (isReadableByOthers(url)) {
      context.refuse(
        'service.attach',
        'would send the token over http, where others can read it. For another machine, use an https: address',
      )
    }
    return { url, token: requireToken(service.token ?? context.readToken(data, url), data, context) }
  }
  const { url, token } = context.findBench(data)
  return { url, token: service.token ?? token }
}

/** Rejects an empty HOOKBENCH_WORLD, because an empty name would select the default world. */
function findWorld(service: ServiceConfig, { world: given }: ConfigContext, refuse: Refuse) {
  if (given !== undefined && !isWorldName(given))
    refuse('service.world', `has the value "${given}" from HOOKBENCH_WORLD, but takes ${WORLD_NAME_TAKES}`)
  return given ?? service.world
}

function requireToken(found: string | undefined, data: string, { refuse }: Refusing): string {
  const token = found ?? ''
  if (token === '') {
    const up = commandLine('up', data)
    refuse('service.token', `is missing. Give the token that "${up}" prints, or set HOOKBENCH_TOKEN`)
  }
  return token
}
