import { Command } from 'commander'
import { RefusedError } from '../client/requests.ts'
import type { Registered, Registrations, ServiceClient } from '../client/service-client.ts'
import { print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { withClientOptions, type CredentialFlags } from './credential-options.ts'
import { serviceOf } from './service-of.ts'

export function enableCommand(): Command {
  return changing('enable', 'notify a registration again; its URL is not tested', (service, { id }) =>
    service.enable(id, true),
  )
}

export function disableCommand(): Command {
  return changing('disable', 'notify a registration no more, and keep it', (service, { id }) =>
    service.enable(id, false),
  )
}

export function unregisterCommand(): Command {
  return changing('unregister', 'delete a registration', async (service, found) => {
    await service.remove(found.id)
    return found
  })
}

type Change = (service: Registrations, found: Registered) => Promise<Registered>

const DONE: Readonly<Record<string, string>> = {
  enable: 'Enabled',
  disable: 'Disabled',
  unregister: 'Deleted',
}

function changing(name: string, description: string, change: Change): Command {
  const command = new Command(name)
    .description(description)
    .argument('<id>', 'its id, as "npx hookbench registrations" lists it')
  return withBenchOptions(withClientOptions(command)).action(
    async (id: string, flags: BenchFlags & CredentialFlags) => {
      const { word, service, found } = await registrationOf(id, await serviceOf(flags))
      const { registration } = await change(service, found)
      const { object_type, url } = registration
      print(registration, `${DONE[name]} ${word} ${id} for ${object_type} at ${url}`, flags)
    },
  )
}

/** A webhook or a callback: an id does not tell which. */
async function registrationOf(id: string, { webhooks, callbacks }: ServiceClient) {
  for (const [word, service] of [['webhook', webhooks] as const, ['callback', callbacks] as const]) {
    const found = (await service.list()).find((each) => each.id === id)
    if (found) return { word, service, found }
  }
  const hint = 'list them with "npx hookbench registrations"'
  throw new RefusedError(`Cannot find registration "${id}"`, { code: 'not_found', field: 'id', hint })
}
