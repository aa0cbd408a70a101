import type { Config } from '../config/config.ts'

/** The first line of the input. */
export interface RunOrder {
  readonly config: Config
  /** The command that repeats one test, with `{id}`. */
  readonly repeat: string
}

/** Each further line of the input. */
export interface RunRequest {
  readonly number: number
  readonly act: 'open' | 'test' | 'conclude' | 'close'
  /** The id of a check. */
  readonly id?: string
}

/** A line of the output for each request, in any order. */
export interface RunReply {
  readonly number: number
  /** The reason to skip the test. */
  readonly reason?: string | undefined
  readonly error?: { readonly name: string; readonly message: string }
}
