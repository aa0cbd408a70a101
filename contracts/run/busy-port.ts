import { isSandbox } from '../probes/port-holder.ts'
import type { OwnService } from '../toolkit/options.ts'
import { findRun, ListenError, UsageError } from '../../sandbox/internal.ts'

/** What to say where the service of a run cannot have its port: who has it, and how to check beside it. */
export async function explainBusyPort(
  error: unknown,
  { port, data }: Pick<OwnService, 'port' | 'data'>,
): Promise<unknown> {
  if (!(error instanceof ListenError) || error.code !== 'EADDRINUSE') return error
  const run = findRun(data)
  const service = run && new URL(run.service_url)
  const isThere = service?.protocol === 'https:' || (await isSandbox(port))
  const holder =
    isThere && service?.port === String(port)
      ? `the sandbox of data folder "${data}" has it; check in that one with --attach (service: { attach: true })`
      : isThere
        ? 'another sandbox or another run of checks has it; check in that one with --attach and the address of its bench'
        : 'another program has it; stop that'
  return new UsageError(
    `Cannot listen on port ${port}: ${holder}, or beside it with --port 0 (port: 0), whose address the run prints`,
    { cause: error },
  )
}
