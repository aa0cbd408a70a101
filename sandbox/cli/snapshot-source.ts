import { createReadStream } from 'node:fs'
import { describeFileError } from '../adapters/files.ts'
import type { RefusedError } from '../client/requests.ts'
import { UsageError } from './failure.ts'

/** The bytes of a file, or of standard input for `-`, as they are asked for. Throws UsageError with the remedy. */
export async function openSnapshot(file: string): Promise<AsyncIterable<Uint8Array>> {
  if (file === '-') return process.stdin
  const stream = createReadStream(file)
  try {
    await new Promise((opened, failed) =>
      stream.once('readable', opened).once('end', opened).once('error', failed),
    )
    return stream
  } catch (cause) {
    const problem = `Cannot read "${file}" for the snapshot: ${describeFileError(cause)}`
    throw new UsageError(`${problem}; name a file that can be read`, { cause })
  }
}

const PROBLEMS: ReadonlyMap<string | undefined, string> = new Map([
  ['damaged_snapshot', 'it was changed or cut off'],
  ['invalid_json', 'it is not JSON, or was cut off'],
])

/** Why a sandbox refuses what is in a file. */
export function describeSnapshotRefusal({ code, message }: RefusedError): string {
  return PROBLEMS.get(code) ?? message
}

export const SNAPSHOT_REMEDY = 'give a file that "snapshot save" wrote, as it is'
