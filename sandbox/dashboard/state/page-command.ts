import type { CommandRow } from '../../cli/command-table.ts'
import type { Route } from './route.ts'

/**
 * Where a value comes from: the name of an argument or option, and how its text is read if it is not taken as it stands, such as
 * `--amount number`.
 */
export type Source = string

/** A call of the control API, of what was filled in. What was not is left out. */
export interface CommandCall {
  readonly operation: string
  /** What must be filled in; of several calls the first that fits is made. */
  readonly given?: readonly string[]
  readonly path?: Readonly<Record<string, Source>>
  readonly query?: Readonly<Record<string, Source>>
  /** Its fields, of which a name in braces is that of an argument that names the field; or all of it. */
  readonly body?: Readonly<Record<string, Source>> | Source
}

/** What a command does in the page: calls of the control API, or a screen that shows what it would print; neither in a terminal only. */
export interface PageCommand extends CommandRow {
  readonly calls?: readonly CommandCall[]
  /** The words of the address are names of arguments, or stand for themselves behind an equals sign. */
  readonly route?: Omit<Route, 'at'>
}
