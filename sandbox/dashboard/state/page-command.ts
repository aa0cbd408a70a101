import type { CommandRow } from '../../cli/command-table.ts'
import type { Route } from './route.ts'

/** The name of an argument or option and the reader of its text, such as `--amount number`. */
export type Source = string

/** A call of the control API, built from the filled-in values. */
export interface CommandCall {
  readonly operation: string
  /** Required values. The page makes the first call whose values are all given. */
  readonly given?: readonly string[]
  readonly path?: Readonly<Record<string, Source>>
  readonly query?: Readonly<Record<string, Source>>
  /** The body or its fields. A name in braces is taken from an argument. */
  readonly body?: Readonly<Record<string, Source>> | Source
}

/** The effect of a command in the page: control API calls or a screen. Neither for terminal commands. */
export interface PageCommand extends CommandRow {
  readonly calls?: readonly CommandCall[]
  /** Words are argument names, or literal after an equals sign. */
  readonly route?: Omit<Route, 'at'>
}
