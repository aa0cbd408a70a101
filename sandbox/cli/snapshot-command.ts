import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import type { Clock, Snapshot } from '../../spec/generated/control-types.ts'
import type { BenchClient } from '../client/bench-client.ts'
import { RefusedError } from '../client/requests.ts'
import { benchOf, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { clockText } from './clock-command.ts'
import { UsageError } from './failure.ts'
import { fileProblem } from '../adapters/file-problem.ts'
import { readGiven } from './given-content.ts'
import { subcommand } from './subcommands.ts'

const HELP = `
Examples:
  npx hookbench snapshot save before.json
  npx hookbench snapshot restore before.json
  npx hookbench snapshot save - | gzip > before.json.gz`

export function snapshotCommand(): Command {
  const command = new Command('snapshot')
    .description('save the whole world to a file, or put it back')
    .addHelpText('after', HELP)
  return withBenchOptions(command).addCommand(saveCommand()).addCommand(restoreCommand())
}

function saveCommand(): Command {
  return subcommand('save', 'save objects, registrations, jobs, payments, faults, readings and the clock')
    .argument('<file>', 'where to, for your eyes only; - for standard output')
    .action(async (...[file, _, command]: [string, object, Command]) => {
      const flags: BenchFlags = command.optsWithGlobals()
      const snapshot = await benchOf(flags).snapshot()
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
  return subcommand('restore', 'put a saved world back, whole or not at all')
    .argument('<file>', 'what was saved; - for standard input')
    .action(async (...[file, _, command]: [string, object, Command]) => {
      const flags: BenchFlags = command.optsWithGlobals()
      const bench = benchOf(flags)
      const clock = await restored(bench, file)
      print(clock, `The world is as it was saved. ${clockText(clock)}`, flags)
    })
}

/** What the sandbox refuses is told with the file. */
async function restored(bench: BenchClient, file: string): Promise<Clock> {
  const snapshot = snapshotOf(file)
  try {
    return await bench.restore(snapshot)
  } catch (cause) {
    if (!(cause instanceof RefusedError) || !cause.misused) throw cause
    const { code, field, misused } = cause
    const problem = code === 'damaged_snapshot' ? 'it was changed or cut off' : cause.message
    const hint = 'give a file that "npx hookbench snapshot save" wrote, as it is'
    throw new RefusedError(`Cannot restore "${file}": ${problem}`, { cause, code, field, misused, hint })
  }
}

function contents({ entries, requests, clock }: Snapshot): string {
  return `${entries.length} entries and ${requests.length} calls, as of ${clock.now},`
}

function snapshotOf(file: string): unknown {
  try {
    return JSON.parse(readGiven('the snapshot', file).toString('utf8'))
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(
      `Cannot restore "${file}": it is not JSON; give a file that "npx hookbench snapshot save" wrote`,
      { cause },
    )
  }
}

/** Whole or not at all, and readable by its owner only. Throws UsageError with the remedy. */
export function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    if (existsSync(file) && !statSync(file).isFile()) throw new Error('it is no file')
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, file)
  } catch (cause) {
    rmSync(temporary, { force: true })
    const problem = `Cannot write "${file}": ${fileProblem(cause)}`
    throw new UsageError(`${problem}; give another file, or - for standard output`, { cause })
  }
}
