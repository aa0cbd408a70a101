import type { PageCommand } from './page-command.ts'

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
  /** When the network is back or the page is visible again. */
  onReturn(listener: () => void): void
}
