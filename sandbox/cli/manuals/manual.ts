/** A command line without `npx hookbench`, and what it is for. */
export type Example = readonly [line: string, about: string]

/** What the help of a command says beside what the command itself knows: its arguments and options. */
export interface Manual {
  /** Paragraphs of its description, after the first sentence. */
  readonly about?: readonly string[]
  /** Sections of its own. */
  readonly sections?: readonly ManualSection[]
  readonly examples: readonly [Example, Example, ...Example[]]
  /** What each exit code means to it; by default, what they mean to a command that asks a sandbox. */
  readonly exitCodes?: ExitCodes
  readonly seeAlso?: readonly string[]
}

export interface ManualSection {
  readonly heading: string
  readonly about?: readonly string[]
  readonly rows?: readonly Row[]
}

/** A term, and what it is. */
export type Row = readonly [term: string, about: string]

export type ExitCodes = Readonly<Record<number, string>>

/** By the words of the command, such as `faults add`. */
export type Manuals = Readonly<Record<string, Manual>>

/** Of a command that asks a sandbox which runs. */
export const SANDBOX_EXIT_CODES: ExitCodes = {
  0: 'fine',
  1: 'the sandbox refused, as there is no such thing or it does not fit',
  2: 'wrong use',
  3: 'no sandbox can be reached',
}

/** Of a command that asks nobody. */
export const LOCAL_EXIT_CODES: ExitCodes = { 0: 'fine', 2: 'wrong use' }
