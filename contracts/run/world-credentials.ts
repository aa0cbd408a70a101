import type { RunOptions } from '../toolkit/options.ts'
import { createControlClient, findCredentials } from '../../sandbox/internal.ts'

/** The same options; where a sandbox is used that runs, with the credentials of its world as far as none are given. */
export async function withWorldCredentials(options: RunOptions): Promise<RunOptions> {
  const { service } = options
  if (service.kind === 'own' || service.given === undefined) return options
  const { world, given } = service
  const flags = { world, clientId: given.client_id, clientSecret: given.client_secret }
  const found = await findCredentials(flags, createControlClient(service))
  return { ...options, service: { ...service, credentials: { ...found, ...given } } }
}
