import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import type { Clock, Snapshot } from '../../spec/generated/control-types.ts'
import type { Perform } from '../compose/perform.ts'
import { RefusedError } from '../client/requests.ts'
import { connect, print, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'
import { clockText } from './clock-commands.ts'
import { UsageError } from './failure.ts'
import { describeFileError, replaceFile } from '../adapters/files.ts'
import { readInput } from './content-options.ts'

const HELP = `
Examples:
  npx hookbench snapshot save before.json
  npx hookbench snapshot restore before.json
  npx hookbench snapshot save - | gzip > before.json.gz`

export function snapshotCommand(): Command {
  const command = new Command('snapshot')
    .description('save the whole world to a file, or put it back')
    .addHelpText('after', HELP)
  return withSandboxOptions(command).addCommand(saveCommand()).addCommand(restoreCommand())
}

function saveCommand(): Command {
  return new Command('save')
    .description('save objects, registrations, jobs, payments, next outcomes, faults, readings and the clock')
    .configureHelp({ showGlobalOptions: true })
    .argument('<file>', 'where to write it, readable only by you; - for standard output')
    .action(async (...[file, _, command]: [string, object, Command]) => {
      const flags: SandboxFlags = command.optsWithGlobals()
      const snapshot = await connect(flags)('getSnapshot')
      const text = JSON.stringify(snapshot)
      if (file === '-') {
        process.stdout.write(`${text}\n`)
        return
      }
      writeWhole(file, `${text}\n`)
      const { version, clock, checksum } = snapshot
      print(
        { file: resolve(file), version, clock, checksum },
        `Saved ${contents(snapshot)} to ${file}`,
        flags,
      )
    })
}

function restoreCommand(): Command {
  return new Command('restore')
    .description('put a saved world back, completely or not at all')
    .configureHelp({ showGlobalOptions: true })
    .argument('<file>', 'a file that was saved; - for standard input')
    .action(async (...[file, _, command]: [string, object, Command]) => {
      const flags: SandboxFlags = command.optsWithGlobals()
      const clock = await restore(connect(flags), file)
      print(clock, `The world is as it was saved. ${clockText(clock, flags)}`, flags)
    })
}

const REMEDY = 'give a file that "snapshot save" wrote'

/** Throws RefusedError with the file, if the sandbox refuses what is in it. */
async function restore(perform: Perform, file: string): Promise<Clock> {
  const snapshot = await readSnapshot(file)
  try {
    return await perform('putSnapshot', { body: snapshot })
  } catch (cause) {
    if (!(cause instanceof RefusedError) || !cause.misused) throw cause
    const { code, field, misused } = cause
    const problem = code === 'damaged_snapshot' ? 'it was changed or cut off' : cause.message
    throw new RefusedError(`Cannot restore "${file}": ${problem}`, {
      cause,
      code,
      field,
      misused,
      hint: `${REMEDY}, as it is`,
    })
  }
}

function contents({ entries, requests, clock }: Snapshot): string {
  return `${entries.length} entries and ${requests.length} calls, as of ${clock.now},`
}

async function readSnapshot(file: string): Promise<Snapshot> {
  const bytes = await readInput('the snapshot', file)
  try {
    const snapshot: unknown = JSON.parse(bytes.toString('utf8'))
    if (isObject(snapshot)) return snapshot
  } catch (cause) {
    throw new UsageError(`Cannot restore "${file}": it is not JSON; ${REMEDY}`, { cause })
  }
  throw new UsageError(`Cannot restore "${file}": it is not a snapshot; ${REMEDY}`)
}

/** What is in it is for the sandbox to check. */
function isObject(value: unknown): value is Snapshot {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whole or not at all, and readable by its owner only. Throws UsageError with the remedy. */
export function writeWhole(file: string, text: string): void {
  try {
    if (existsSync(file) && !statSync(file).isFile()) throw new Error('it is not a file')
    replaceFile(file, text, { mode: 0o600 })
  } catch (cause) {
    const problem = `Cannot write "${file}": ${describeFileError(cause)}`
    throw new UsageError(`${problem}; give another file, or - for standard output`, { cause })
  }
}
