import { Command } from 'commander'
import { createServiceClient } from '../adapters/bench-client.ts'
import { defaultCredentials } from '../settings.ts'
import { benchOf, print, withBenchOptions, type BenchFlags } from './bench-options.ts'

interface RegisterFlags extends BenchFlags {
  readonly type: string
  readonly description?: string
  readonly clientId: string
  readonly clientSecret: string
}

export function registerCommand(): Command {
  const command = new Command('register')
    .description('register a receiver for an object type; it must answer the test POST with success')
    .argument('<url>', 'its HTTPS URL')
    .requiredOption('--type <type>', 'object type, such as items')
    .option('--description <text>', 'a note of your own')
    .option('--client-id <id>', "the platform's client id", defaultCredentials.client_id)
    .option('--client-secret <secret>', "the platform's client secret", defaultCredentials.client_secret)
  return withBenchOptions(command).action(async (url: string, flags: RegisterFlags) => {
    const { service_url } = await benchOf(flags).health()
    const service = await createServiceClient(service_url, {
      client_id: flags.clientId,
      client_secret: flags.clientSecret,
    })
    const { description } = flags
    const webhook = await service.createWebhook({
      url,
      object_type: flags.type,
      ...(description === undefined ? {} : { description }),
    })
    print(webhook, `Registered ${webhook.url} for ${webhook.object_type} as webhook ${webhook.uuid}`, flags)
  })
}
