import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import type { Clock, Snapshot } from '../../spec/generated/control-types.ts'
import { describeFileError, replaceFileByPieces } from '../adapters/files.ts'
import type { ControlAddress } from '../client/control-address.ts'
import { RefusedError } from '../client/requests.ts'
import { notSandbox, UnreachableError } from '../client/unreachable.ts'
import { readSnapshot, writeSnapshot } from '../client/snapshots.ts'
import { clockText } from './clock-commands.ts'
import { UsageError } from './failure.ts'
import { forgetLeftWorld } from './left-worlds.ts'
import { findAddress, print, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'
import { openSnapshot, snapshotRefusal } from './fill-world.ts'
import { withManual } from './manual.ts'
import { readLines } from '../engine/core/lines.ts'

export function snapshotCommand(): Command {
  const command = withManual(new Command('snapshot'), {
    about: [
      'A snapshot contains the secrets of receivers. Only you can read the file. Keep the file out of repositories.',
    ],
    examples: [
      ['snapshot save before.jsonl', ''],
      ['snapshot restore before.jsonl', ''],
      ['snapshot save - | gzip > before.jsonl.gz', 'write the snapshot to the standard output'],
    ],
    seeAlso: ['snapshot save', 'snapshot restore', 'reset'],
  }).description('save the complete world to a file, or restore it')
  return withSandboxOptions(command).addCommand(saveCommand()).addCommand(restoreCommand())
}

function saveCommand(): Command {
  return withManual(new Command('save'), {
    about: ['With -, the command prints the snapshot itself, as lines of JSON, with or without --json.'],
    examples: [
      ['snapshot save before.jsonl', ''],
      ['snapshot save - | gzip > before.jsonl.gz', ''],
    ],
    seeAlso: ['snapshot restore'],
  })
    .description('save objects, registrations, jobs, payments, next outcomes, faults, readings and the clock')
    .argument('<file>', 'the file, readable only by you (- for standard output)')
    .action(async (...[file, _, command]: [string, object, Command]) => {
      const flags: SandboxFlags = command.optsWithGlobals()
      const pieces = readSnapshot(findAddress(flags))
      if (file === '-') {
        await pipeline(pieces, process.stdout, { end: false })
        return
      }
      const summary = summarizeSnapshot(pieces)
      await writeWhole(file, summary.pieces)
      const { version, clock, checksum, entries, requests } = summary.facts()
      print(
        { file: resolve(file), version, clock, checksum },
        `Saved ${entries} entries and ${requests} calls, as of ${clock.now}, to ${file}`,
        flags,
      )
    })
}

function restoreCommand(): Command {
  return withManual(new Command('restore'), {
    about: ['Changes since the snapshot are lost. The clock continues from the time of the snapshot.'],
    examples: [
      ['snapshot restore before.jsonl', ''],
      ['snapshot restore before.jsonl --json', 'print the clock after the restore, for a script'],
    ],
    seeAlso: ['snapshot save', 'reset'],
  })
    .description('restore a saved world, completely or not at all')
    .argument('<file>', 'a saved file (- for standard input)')
    .action(async (...[file, _, command]: [string, object, Command]) => {
      const flags: SandboxFlags = command.optsWithGlobals()
      const clock = await restore(findAddress(flags), file)
      forgetLeftWorld(flags.data, file)
      print(clock, `Restored the saved world. ${clockText(clock, flags)}`, flags)
    })
}

async function restore(address: ControlAddress, file: string): Promise<Clock> {
  const pieces = await openSnapshot(file)
  try {
    return await writeSnapshot(address, pieces)
  } catch (cause) {
    if (!(cause instanceof RefusedError) || !cause.misused) throw cause
    throw snapshotRefusal(`restore "${file}"`, cause)
  }
}

/** Writes a file atomically. Only the owner can read the file. Throws UsageError if the file cannot be written. */
export async function writeWhole(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    if (existsSync(file) && !statSync(file).isFile()) throw new Error('the path is not a file')
    await replaceFileByPieces(file, pieces, { mode: 0o600 })
  } catch (cause) {
    if (cause instanceof UnreachableError || cause instanceof RefusedError) throw cause
    const problem = `Cannot write "${file}": ${describeFileError(cause)}`
    throw new UsageError(`${problem}. Give another file, or - for standard output`, { cause })
  }
}

/** Forwards the chunks of a snapshot, and collects its fields and counts. Call `facts` after the stream has ended. */
export function summarizeSnapshot(pieces: AsyncIterable<Uint8Array>) {
  const fields: Record<string, unknown> = {}
  const counts = { entries: 0, requests: 0 }

  async function* passOn(): AsyncIterable<Uint8Array> {
    try {
      for await (const line of readLines(pieces, Number.MAX_SAFE_INTEGER)) {
        const value: object = Object(JSON.parse(line))
        if ('head' in value) counts.entries++
        else if ('method' in value) counts.requests++
        else Object.assign(fields, value)
        yield Buffer.from(`${line}\n`)
      }
      if (fields['checksum'] === undefined) throw new SyntaxError('The input ends too early')
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw notSandbox('take a snapshot', 'the input is not a complete snapshot')
    }
  }

  return {
    /** The unchanged chunks of the snapshot. Throws UnreachableError for a truncated or invalid snapshot. */
    pieces: passOn(),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- answers of the sandbox are trusted to match the spec
    facts: () => ({ ...(fields as unknown as Snapshot), ...counts }),
  }
}
