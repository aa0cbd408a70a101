import type { PageCommand } from './page-command.ts'

/** Everything the page asks of the browser, beside what it draws. A test has its own. */
export interface PagePorts {
  /** Where the page came from, and where the control API is. */
  readonly origin: string
  /** The one of the sandbox's worlds that the address names; the default one if undefined. */
  readonly world: string | undefined
  /** The token of the address, which is taken out of it, or the one that was kept; empty if there is none. */
  takeToken(): string
  keepToken(token: string): void
  /** The fragment of the address, with its number sign. */
  hash(): string
  setHash(hash: string): void
  /** The same, without a step that "back" undoes, and without a word to who listens. */
  replaceHash(hash: string): void
  onHash(listener: () => void): void
  /** Milliseconds of a clock that measures. */
  elapsed(): number
  /** Before the next picture, or soon where nobody looks. */
  soon(run: () => void): void
  /** Both return the way to end it. */
  every(periodMs: number, run: () => void): () => void
  after(delayMs: number, run: () => void): () => void
  /** Every command of the terminal. */
  commands(): Promise<readonly PageCommand[]>
  /** Puts a text on the clipboard. */
  copy(text: string): Promise<void>
  /** When the machine has a network again, or somebody looks at the page again. */
  onReturn(listener: () => void): void
}
