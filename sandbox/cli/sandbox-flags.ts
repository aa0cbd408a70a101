import { Option, type Command } from 'commander'
import { DEFAULT_DATA_FOLDER } from '../engine/core/command-line.ts'
import { findControlAddress } from '../client/control-address.ts'
import { createControlClient } from '../client/control-client.ts'
import type { Perform } from '../compose/perform.ts'
import { toPrintable, toPrintableJson } from '../engine/core/printable.ts'

/** What every command takes that talks to a running sandbox. */
export interface SandboxFlags {
  readonly data: string
  readonly json?: boolean
}

export function withSandboxOptions(command: Command): Command {
  return command
    .addOption(new Option('--data <dir>', 'data folder of the running sandbox').default(DEFAULT_DATA_FOLDER))
    .option('--json', 'the answer as JSON')
}

/** The control API of the running sandbox. */
export function connect({ data }: SandboxFlags): Perform {
  return createControlClient(findControlAddress(data, process.env))
}

/** JSON for people, with nothing in it that moves the cursor. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2).split('\n').map(toPrintable).join('\n')
}

/** The answer as JSON where that was asked for, as text otherwise. */
export function print(value: unknown, text: string, { json }: Pick<SandboxFlags, 'json'>): void {
  console.log(json === true ? toPrintableJson(value, 2) : text)
}
