import { readCaCertificate } from '../adapters/data-folder.ts'
import { createServiceClient, type ServiceClient } from '../client/service-client.ts'
import { connect, type BenchFlags } from './bench-options.ts'
import { credentialsOf, type CredentialFlags } from './credential-options.ts'

/** The service of the running sandbox, as a platform calls it. */
export async function serviceOf(flags: BenchFlags & CredentialFlags): Promise<ServiceClient> {
  const { service_url } = await connect(flags)('getHealth')
  return createServiceClient(service_url, credentialsOf(flags), readCaCertificate({ path: flags.data }))
}
