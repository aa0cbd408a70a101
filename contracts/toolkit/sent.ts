import type { ExchangeDetail } from '../../spec/generated/control-types.ts'

/** A request to the receiver, and what came back. */
export interface Sent {
  readonly label: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly (readonly [name: string, value: string])[]
    /** Read as UTF-8. */
    readonly body: string
  }
  /** The HTTP status; null without an answer. */
  readonly status: number | null
  /** Why there was no answer; null if there was one. */
  readonly reason: string | null
  /** One sentence for a person. */
  readonly message: string
  readonly flags: readonly string[]
  /** Real milliseconds until the status line; until the end where there was none. */
  readonly tookMs: number
  readonly response: ExchangeDetail['response']
}
