import type { CommandRow } from '../../cli/command-table.ts'
import type { Route } from './route.ts'

/** Everything the page needs from the browser. Tests pass their own. */
export interface PagePorts {
  /** The origin of the page and of the control API. */
  readonly origin: string
  /** The world of the address. Defaults to the default world. */
  readonly world: string | undefined
  /** Takes the token out of the address, or returns the kept one. Empty without one. */
  takeToken(): string
  keepToken(token: string): void
  /** The fragment with its number sign. */
  hash(): string
  setHash(hash: string): void
  /** Changes the fragment without a history step or a hashchange event. */
  replaceHash(hash: string): void
  onHash(listener: () => void): void
  /** Milliseconds of a monotonic clock. */
  elapsed(): number
  /** Before the next frame, or soon in a hidden page. */
  soon(run: () => void): void
  /** Both return a function that cancels. */
  every(periodMs: number, run: () => void): () => void
  after(delayMs: number, run: () => void): () => void
  commands(): Promise<readonly PageCommand[]>
  copy(text: string): Promise<void>
  /** Calls back when the network returns or the page becomes visible again. */
  onReturn(listener: () => void): void
}

/** The name of an argument or option and the reader of its text, such as `--amount number`. */
export type Source = string

/** A call of the control API, built from the filled-in values. */
export interface CommandCall {
  readonly operation: string
  /** Required values. The page makes the first call whose values are all given. */
  readonly given: readonly string[]
  readonly path: Readonly<Record<string, Source>>
  readonly query: Readonly<Record<string, Source>>
  /** The body or its fields. A name in braces is taken from an argument. */
  readonly body?: Readonly<Record<string, Source>> | Source
}

/** The effect of a command in the page: control API calls or a screen. Neither for terminal commands. */
export interface PageCommand extends CommandRow {
  readonly calls?: readonly CommandCall[]
  /** Words are argument names, or literal after an equals sign. */
  readonly route?: Omit<Route, 'at'>
}
