import type { Snapshot } from '../../spec/generated/control-types.ts'
import { notSandbox } from '../client/unreachable.ts'
import { createJsonPartReader } from '../engine/core/json-parts.ts'

/** What is said of a snapshot. */
interface SnapshotFacts extends Pick<Snapshot, 'version' | 'clock' | 'checksum'> {
  readonly entries: number
  readonly requests: number
}

/** A snapshot on its way, and what is known of it once it went by. */
interface SnapshotSummary {
  /** The same bytes. Throws UnreachableError for what is no snapshot, or not all of one. */
  readonly pieces: AsyncIterable<Uint8Array>
  readonly facts: () => SnapshotFacts
}

export function summarizeSnapshot(pieces: AsyncIterable<Uint8Array>): SnapshotSummary {
  const reader = createJsonPartReader({ lists: ['entries', 'requests'], mostBytes: Number.MAX_SAFE_INTEGER })
  const fields: Record<string, unknown> = {}
  const counts = { entries: 0, requests: 0 }

  async function* passOn(): AsyncIterable<Uint8Array> {
    try {
      for await (const piece of pieces) {
        for (const { name, index, value } of reader.take(piece)) {
          if (index === undefined) fields[name] = value
          else if (name === 'entries' || name === 'requests') counts[name]++
        }
        yield piece
      }
      reader.end()
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw notSandbox('take a snapshot', 'what came is no whole snapshot')
    }
  }

  return {
    pieces: passOn(),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- trusted to be what the spec says, as every answer is
    facts: () => ({ ...(fields as unknown as Snapshot), ...counts }),
  }
}
