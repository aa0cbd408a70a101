import { styleText } from 'node:util'
import { screenWidth, type Screen } from '../report/columns.ts'
import type { Run } from '../run/open-run.ts'
import { ProbeError } from '../toolkit/probe-error.ts'
import { UsageError } from '../../sandbox/internal.ts'

export function screenFor(stream: NodeJS.WriteStream): Screen {
  return {
    paint: (style, text) => styleText(style, text, { stream }),
    width: screenWidth(stream.columns),
  }
}

/** Runs it; what the configuration names and does not work is wrong use. */
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

/** A run that is ended by hand puts the attached sandbox back as it was. */
export function closeOnSignal({ close }: Pick<Run, 'close'>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().finally(() => process.kill(process.pid, signal)))
  }
}
