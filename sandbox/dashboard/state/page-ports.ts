import type { CommandRow } from '../../cli/command-table.ts'
import type { Route } from './route.ts'

export interface PagePorts {
  readonly origin: string
  /** The world that the page address names. Undefined means the default world. */
  readonly world: string | undefined
  /** Removes the token from the address and returns it. If the address has none, returns the stored token or an empty string. */
  takeToken(): string
  keepToken(token: string): void
  /** Returns the fragment of the address, including `#`. */
  hash(): string
  setHash(hash: string): void
  /** Changes the fragment without a history entry or a hashchange event. */
  replaceHash(hash: string): void
  onHash(listener: () => void): void
  /** Returns the time of a monotonic clock, in milliseconds. */
  elapsed(): number
  /** Calls the function before the next frame, or after a short delay if the page is hidden. */
  soon(run: () => void): void
  every(periodMs: number, run: () => void): () => void
  after(delayMs: number, run: () => void): () => void
  commands(): Promise<readonly PageCommand[]>
  copy(text: string): Promise<void>
  /** Calls the listener when the network is available again or the page becomes visible. */
  onReturn(listener: () => void): void
}

/** The name of an argument or option, optionally followed by the format of its text, such as `--amount number`. */
export type Source = string

export interface CommandCall {
  readonly operation: string
  /** The names of the values that the call requires. The page makes the first call whose required values are all set. */
  readonly given: readonly string[]
  readonly path: Readonly<Record<string, Source>>
  readonly query: Readonly<Record<string, Source>>
  /**
   * The source of the complete request body, or the sources of its fields. Inside a field name, `{name}` is replaced by the value
   * of the argument `name`.
   */
  readonly body?: Readonly<Record<string, Source>> | Source
}

/** A CLI command that the palette lists. A command that only the terminal can run has neither `calls` nor a `route`. */
export interface PageCommand extends CommandRow {
  readonly calls?: readonly CommandCall[]
  /** The route of the screen. Each word of `path` is the name of an argument, or a literal with a leading equals sign. */
  readonly route?: Omit<Route, 'at'>
}
