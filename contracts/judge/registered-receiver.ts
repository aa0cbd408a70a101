import type { ConfigContext } from '../config/config-context.ts'
import { createRunOptions } from '../config/run-options.ts'
import { receiverUrls } from '../run/receiver-urls.ts'
import { toJsonObject, type JsonObject } from '../toolkit/messages.ts'
import type { ReceiverOptions } from '../toolkit/options.ts'
import {
  adviseOnLeftWorlds,
  commandLine,
  createControlClient,
  startSentence,
  UsageError,
  type Perform,
} from '../../sandbox/internal.ts'
import { GENERATIONS } from '../../spec/delivery.ts'

/** Throws UsageError if no receiver is registered, and UnreachableError if no sandbox runs. */
export async function withRegisteredReceiver(
  config: JsonObject,
  context: ConfigContext,
): Promise<JsonObject> {
  const receiver = toJsonObject(config['receiver'])
  if (receiver['url'] !== undefined) return config
  const service = { attach: true, ...toJsonObject(config['service']) }
  const placeholder = { ...config, service, receiver: { ...receiver, url: 'https://localhost/' } }
  const options = createRunOptions(placeholder, context)
  if (options.service.kind !== 'attached') return config
  if (options.service.ownWorld) {
    throw new UsageError(
      'Cannot find your receiver: a new world has no registrations. Give its URL, or "receiver.url" in the configuration',
    )
  }
  const perform = createControlClient(options.service)
  const url = await registeredUrls(perform)
  if (Object.keys(url).length === 0) {
    // The registration may be missing because an earlier run did not restore the world.
    const leftWorlds = adviseOnLeftWorlds(options.service.data)
      .map(({ message, remedy }) => `. ${message}. ${startSentence(remedy)}`)
      .join('')
    throw new UsageError(
      `Cannot find your receiver: no receiver is registered at ${options.service.url}. Register your receiver with "${commandLine('register URL --type items', options.service)}", or give its URL${leftWorlds}`,
    )
  }
  const readings: JsonObject = { ...(await chosenReadings(perform)), ...toJsonObject(config['readings']) }
  const isSigned = readings['signature'] !== 'off' && config['signatureSecret'] === undefined
  return {
    ...config,
    service,
    receiver: { ...receiver, url },
    readings,
    ...(isSigned && (await signatureSecret(perform))),
  }
}

async function registeredUrls(perform: Perform): Promise<Record<string, Record<string, string>>> {
  const { registrations } = await perform('listRegistrations')
  const byGeneration: Record<string, Record<string, string>> = {}
  for (const { generation, object_type, url, enabled } of registrations) {
    if (enabled) byGeneration[generation] = { ...byGeneration[generation], [object_type]: url }
  }
  return byGeneration
}

async function chosenReadings(perform: Perform): Promise<Record<string, string>> {
  const { readings } = await perform('listReadings')
  return Object.fromEntries(
    readings.flatMap(({ id, value }) => (value === null ? [] : [[id, value] as const])),
  )
}

/** Returns the newest secret, because a receiver may no longer accept older secrets. Reading: signature */
async function signatureSecret(perform: Perform): Promise<{ readonly signatureSecret?: string }> {
  const { secrets } = await perform('listSnapshotSecrets')
  const [newest] = secrets
  return newest ? { signatureSecret: newest.secret_key } : {}
}

type Urls = Pick<ReceiverOptions, 'urls'>

/** Returns true if both receivers have equal URLs for all object types that they have in common. */
export function isSameReceiver(named: Urls, registered: Urls): boolean {
  const [own, known] = [receiverUrls(named), receiverUrls(registered)]
  const pairs = GENERATIONS.flatMap((generation) =>
    known
      .types(generation)
      .filter((type) => own.types(generation).includes(type))
      .map((type) => [own.url(type, generation), known.url(type, generation)] as const),
  )
  return pairs.length > 0 && pairs.every(([one, other]) => one === other)
}
