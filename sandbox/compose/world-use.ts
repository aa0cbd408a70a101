import type { Claim, ClaimRequest } from '../../spec/generated/control-types.ts'
import { ApiError } from '../engine/core/api-error.ts'
import type { RealTime } from '../engine/core/ports.ts'
import { timestamp } from '../engine/core/timestamp.ts'

/** Who uses a world as if it were alone: a run of its own sandbox, or one from elsewhere that claims it; one at a time. */
export interface WorldUse {
  isUsed(): boolean
  /** Begins a run of its own, until the function is called that it returns. Throws ApiError `conflict`. */
  begin(): () => void
  /** Claims it, or what is claimed by this id already for longer. Throws ApiError `conflict`. */
  claim(id: string, request: ClaimRequest): Claim
  /** Throws ApiError `not-found`. */
  release(id: string): Claim
}

/** After so long a claim lapses that was not claimed again: the run was killed, or cannot reach the sandbox. */
const CLAIMED_MS = 15_000

interface HeldClaim {
  readonly id: string
  readonly by: string
  readonly since: string
  /** Counted as time passes, whatever the clock is set to. */
  readonly until: number
}

export function createWorldUse({ now, elapsed }: Pick<RealTime, 'now' | 'elapsed'>): WorldUse {
  let isRunning = false
  let held: HeldClaim | undefined

  function current(): HeldClaim | undefined {
    if (held && held.until <= elapsed()) held = undefined
    return held
  }

  const toClaim = ({ id, by, since, until }: HeldClaim): Claim => ({
    id,
    by,
    since,
    lapses_at: timestamp(now() + until - elapsed()),
  })

  return {
    isUsed: () => isRunning || current() !== undefined,
    begin() {
      refuseUsed(isRunning, current())
      isRunning = true
      return () => {
        isRunning = false
      }
    },
    claim(id, { by }) {
      const own = current()?.id === id ? held : undefined
      if (!own) refuseUsed(isRunning, current())
      held = { id, by, since: own?.since ?? timestamp(now()), until: elapsed() + CLAIMED_MS }
      return toClaim(held)
    },
    release(id) {
      const own = current()
      if (own?.id !== id)
        throw new ApiError('not-found', { field: 'id', message: `Cannot find claim "${id}"` })
      held = undefined
      return toClaim(own)
    },
  }
}

function refuseUsed(isRunning: boolean, claim: HeldClaim | undefined): void {
  const code = 'run_under_way'
  if (isRunning) {
    const message = 'Cannot begin: another rehearsal or run of checks is under way'
    throw new ApiError('conflict', { code, message, hint: 'wait for it, or stop it' })
  }
  if (!claim) return
  throw new ApiError('conflict', {
    code,
    message: `Cannot begin: ${claim.by} has used this world since ${claim.since}`,
    hint: `wait for it; if it was killed, for ${CLAIMED_MS / 1_000} seconds`,
  })
}
