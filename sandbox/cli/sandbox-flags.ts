import { Option, type Command } from 'commander'
import { OPERATIONS } from '../../spec/generated/control-operations.ts'
import { isWorldName, WORLD_NAME_TAKES } from '../../spec/world-name.ts'
import { DEFAULT_DATA_FOLDER } from '../engine/core/command-line.ts'
import { findControlAddress, type ControlAddress } from '../client/control-address.ts'
import { createControlClient } from '../client/control-client.ts'
import type { Perform } from '../compose/perform.ts'
import { toPrintable, toPrintableJson } from '../engine/core/short-text.ts'
import { printWarning, UsageError } from './failure.ts'

export interface SandboxFlags {
  readonly data: string
  /** The name of the world. Defaults to the token's world, or else to the default world. */
  readonly world?: string
  readonly json?: boolean
}

export function withSandboxOptions(command: Command): Command {
  return withFolderOptions(command).addOption(
    new Option('--world <name>', 'a world of the sandbox (default: default)')
      .env('HOOKBENCH_WORLD')
      .argParser(parseWorldName),
  )
}

export function withFolderOptions(command: Command): Command {
  return command
    .addOption(new Option('--data <dir>', 'data folder of the running sandbox').default(DEFAULT_DATA_FOLDER))
    .option('--json', 'print the answer as JSON')
}

/** Throws UsageError for an invalid name and for an empty HOOKBENCH_WORLD. */
export function parseWorldName(text: string): string {
  if (isWorldName(text)) return text
  const remedy = text === '' ? '. Omit --world and HOOKBENCH_WORLD for the default world' : ''
  throw new UsageError(`Cannot use world "${text}": the value must be ${WORLD_NAME_TAKES}${remedy}`)
}

export function findAddress({ data, world }: Pick<SandboxFlags, 'data' | 'world'>): ControlAddress {
  return { ...findControlAddress(data, process.env), ...(world !== undefined && { world }) }
}

/** Connects to the running sandbox. Warns before a change that will be undone when a run of checks ends. */
export function connect(flags: SandboxFlags): Perform {
  const perform = createControlClient(findAddress(flags))
  let isWarned = false
  return async (id, ...input) => {
    if (!isWarned && OPERATIONS[id].method !== 'GET' && !KEPT.test(id)) {
      isWarned = true
      await warnOfRun(perform)
    }
    return perform(id, ...input)
  }
}

/** Matches operations whose changes remain when a run of checks restores its world. */
const KEPT = /World|Run|Checks|Rehearsal/

async function warnOfRun(perform: Perform): Promise<void> {
  const { used_by: use } = await perform('getSandbox')
  if (use)
    printWarning(
      `${use.about} is running in this world. The world is restored at the end, so this change will be lost`,
    )
}

export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2).split('\n').map(toPrintable).join('\n')
}

export function print(value: unknown, text: string, { json }: Pick<SandboxFlags, 'json'>): void {
  console.log(json === true ? toPrintableJson(value, 2) : text)
}
