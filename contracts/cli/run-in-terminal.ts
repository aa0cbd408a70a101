import { styleText } from 'node:util'
import { screenWidth, type Screen } from '../report/columns.ts'
import type { OpeningRun } from '../run/open-run.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { ProbeError } from '../toolkit/ports.ts'
import { onStopSignal, UsageError, warnOfLiveSecrets } from '../../sandbox/internal.ts'

export function screenFor(stream: NodeJS.WriteStream): Screen {
  return {
    paint: (style, text) => styleText(style, text, { stream }),
    width: screenWidth(stream.columns),
  }
}

/** Warns if a secret looks like the secret of a live service, because the run writes its secrets to files. */
export function warnOfSecrets({ service, secret }: Pick<RunOptions, 'service' | 'secret'>): void {
  const { client_secret, api_token } = service.credentials
  warnOfLiveSecrets({ client_secret, api_token, signatureSecret: secret })
}

/** Converts a ProbeError into a UsageError. */
export async function withRemedy<Result>(
  mask: (text: string) => string,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProbeError) throw new UsageError(mask(error.message), { cause: error })
    throw error
  }
}

/** Closes the run on a stop signal. The run then restores the sandbox or removes its own world. */
export function closeOnSignal({ close }: OpeningRun): void {
  onStopSignal((end) => void close().finally(end))
}
