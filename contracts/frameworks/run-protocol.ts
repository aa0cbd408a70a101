import type { Config } from '../config/config.ts'

/** The first line that the program reads: what to run. */
export interface RunOrder {
  readonly config: Config
  /** The command that repeats one test, with `{id}`. */
  readonly repeat: string
}

/** Each further line. */
export interface RunRequest {
  readonly number: number
  readonly act: 'open' | 'test' | 'conclude' | 'close'
  /** Of the check to be tested. */
  readonly id?: string
}

/** A line for each request, in any order. */
export interface RunReply {
  readonly number: number
  /** Why the test is to be skipped. */
  readonly reason?: string | undefined
  readonly error?: { readonly name: string; readonly message: string }
}
