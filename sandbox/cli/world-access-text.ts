import type { WorldDetail } from '../../spec/generated/control-types.ts'
import { quoteForShell } from '../engine/core/command-line.ts'
import { toPrintable } from '../engine/core/printable.ts'
import { findCaFile } from '../client/control-address.ts'
import type { SandboxFlags } from './sandbox-flags.ts'

/** A world with what opens it, and where. */
export interface ReachableWorld extends WorldDetail {
  readonly service_url: string
  readonly bench_url: string
  /** Where other machines reach them, if that is by another name. */
  readonly public_service_url?: string
  readonly public_bench_url?: string
}

/** The variables by which a platform, and every command, finds the world: lines that a shell takes as they stand. */
export function formatAccess(world: ReachableWorld, flags: SandboxFlags): string {
  const { name, expires_at, service_url, bench_url, access } = world
  const caFile =
    bench_url.startsWith('https:') || service_url.startsWith('https:')
      ? findCaFile(flags.data, process.env)
      : undefined
  const lines = [
    `# World "${name}"${expires_at === null ? '' : `, which is removed at ${expires_at}`}`,
    '',
    '# For your platform, in place of the address and the credentials of the service',
    ...formatExports({
      HOOKBENCH_SERVICE_URL: service_url,
      HOOKBENCH_CLIENT_ID: access.client_id,
      HOOKBENCH_CLIENT_SECRET: access.client_secret,
      HOOKBENCH_EMAIL: access.email,
      HOOKBENCH_API_TOKEN: access.api_token,
    }),
    '',
    '# For the commands of Hookbench, with a token that opens this world only',
    ...formatExports({
      HOOKBENCH_URL: bench_url,
      HOOKBENCH_WORLD: name,
      HOOKBENCH_TOKEN: access.control_token,
      ...(caFile !== undefined && { HOOKBENCH_CA: caFile }),
    }),
    ...formatPublicUrls(world),
  ]
  return lines.map(toPrintable).join('\n')
}

/** Whoever is given the lines may be on another machine. */
function formatPublicUrls({
  public_service_url: service,
  public_bench_url: bench,
}: ReachableWorld): readonly string[] {
  if (service === undefined || bench === undefined) return []
  return [
    '',
    '# On other machines these take the place of the addresses above',
    `# export HOOKBENCH_SERVICE_URL=${quoteForShell(service)}`,
    `# export HOOKBENCH_URL=${quoteForShell(bench)}`,
    '# with HOOKBENCH_CA as a copy of that file',
  ]
}

function formatExports(variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(variables).map(([name, value]) => `export ${name}=${quoteForShell(value)}`)
}
