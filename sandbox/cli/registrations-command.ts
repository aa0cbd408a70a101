import { Command } from 'commander'
import type { RegistrationRecord } from '../../spec/generated/control-types.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { tableOf } from './listing.ts'

export function registrationsCommand(): Command {
  const command = new Command('registrations').description('list who is notified, by webhook or by callback')
  return withBenchOptions(command).action(async (flags: BenchFlags) => {
    const list = await connect(flags)('listRegistrations')
    print(list, listed(list.registrations), flags)
  })
}

const HEADINGS = ['REGISTRATION', 'BY', 'TYPE', 'ENABLED', 'URL']

/** Registrations of both generations in a table. */
export function listed(registrations: readonly RegistrationRecord[]): string {
  if (registrations.length === 0) {
    return 'Nobody is registered; register with "npx hookbench register URL --type items"'
  }
  return tableOf(
    HEADINGS,
    registrations.map(({ id, generation, object_type, enabled, url }) => [
      id,
      generation === 'callbacks' ? 'callback' : 'webhook',
      object_type,
      enabled ? 'yes' : 'no',
      url,
    ]),
  )
}
