import type { ControlActions } from '../api/control/operation.ts'
import type { Decision, Reply } from '../api/operations/operation.ts'

/** A decision that waits for nothing. */
export function replyOf<Body>(decision: Decision<Body, ControlActions>): Reply<Body> {
  if (decision.kind === 'reply') return decision
  throw new Error(`Cannot carry out a decision that waits for "${decision.kind}"`)
}
