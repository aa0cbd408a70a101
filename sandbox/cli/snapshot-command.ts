import { createReadStream, existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import type { Clock } from '../../spec/generated/control-types.ts'
import { describeFileError, replaceFileByPieces } from '../adapters/files.ts'
import { findControlAddress, type ControlAddress } from '../client/control-address.ts'
import { RefusedError } from '../client/requests.ts'
import { UnreachableError } from '../client/unreachable.ts'
import { readSnapshot, writeSnapshot } from '../client/snapshots.ts'
import { clockText } from './clock-commands.ts'
import { UsageError } from './failure.ts'
import { print, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'
import { summarizeSnapshot } from './snapshot-summary.ts'

export function snapshotCommand(): Command {
  const command = new Command('snapshot').description('save the whole world to a file, or put it back')
  return withSandboxOptions(command).addCommand(saveCommand()).addCommand(restoreCommand())
}

function saveCommand(): Command {
  return new Command('save')
    .description('save objects, registrations, jobs, payments, next outcomes, faults, readings and the clock')
    .argument('<file>', 'where to write it, readable only by you; - for standard output')
    .action(async (...[file, _, command]: [string, object, Command]) => {
      const flags: SandboxFlags = command.optsWithGlobals()
      const pieces = readSnapshot(addressOf(flags))
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

const addressOf = ({ data }: SandboxFlags): ControlAddress => findControlAddress(data, process.env)

function restoreCommand(): Command {
  return new Command('restore')
    .description('put a saved world back, completely or not at all')
    .argument('<file>', 'a file that was saved; - for standard input')
    .action(async (...[file, _, command]: [string, object, Command]) => {
      const flags: SandboxFlags = command.optsWithGlobals()
      const clock = await restore(addressOf(flags), file)
      print(clock, `The world is as it was saved. ${clockText(clock, flags)}`, flags)
    })
}

const REMEDY = 'give a file that "snapshot save" wrote'

/** Throws RefusedError with the file, if the sandbox refuses what is in it. */
async function restore(address: ControlAddress, file: string): Promise<Clock> {
  const pieces = await openPieces(file)
  try {
    return await writeSnapshot(address, pieces)
  } catch (cause) {
    if (!(cause instanceof RefusedError) || !cause.misused) throw cause
    const { code, field, misused } = cause
    const problem = PROBLEMS.get(code) ?? cause.message
    throw new RefusedError(`Cannot restore "${file}": ${problem}`, {
      cause,
      code,
      field,
      misused,
      hint: `${REMEDY}, as it is`,
    })
  }
}

const PROBLEMS: ReadonlyMap<string | undefined, string> = new Map([
  ['damaged_snapshot', 'it was changed or cut off'],
  ['invalid_json', 'it is not JSON, or was cut off'],
])

/** The bytes of a file, or of standard input for `-`, as they are asked for. Throws UsageError with the remedy. */
async function openPieces(file: string): Promise<AsyncIterable<Uint8Array>> {
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

/** Whole or not at all, and readable by its owner only. Throws UsageError with the remedy. */
export async function writeWhole(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    if (existsSync(file) && !statSync(file).isFile()) throw new Error('it is not a file')
    await replaceFileByPieces(file, pieces, { mode: 0o600 })
  } catch (cause) {
    if (cause instanceof UnreachableError || cause instanceof RefusedError) throw cause
    const problem = `Cannot write "${file}": ${describeFileError(cause)}`
    throw new UsageError(`${problem}; give another file, or - for standard output`, { cause })
  }
}
