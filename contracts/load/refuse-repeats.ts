import type { LoadMessage } from './books.ts'
import type { MakeNotification } from './notification-maker.ts'
import type { PlannedNotification } from './plan.ts'
import type { Branch } from '../toolkit/branches.ts'
import { ProbeError, type EffectProbe } from '../toolkit/ports.ts'
import { UsageError } from '../../sandbox/internal.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

export interface RefuseRepeatsOptions {
  readonly seed: number
  readonly probe: EffectProbe
}

/** An earlier load may have lost one object, so several are looked at. */
const MOST_LOOKS = 3

/**
 * A used seed makes the same objects again, and their old effects would hide failures. Rejects with
 * UsageError if one of the first objects has an effect before its notification.
 */
export function refuseRepeats(
  make: MakeNotification,
  { seed, probe }: RefuseRepeatsOptions,
): MakeNotification {
  const looks = new Map<Branch | NotifiedType, number>()
  const seen = new Set<string>()

  function isToBeLookedAt(planned: PlannedNotification, { type, id }: LoadMessage): boolean {
    const share = planned.kind === 'object' ? planned.type : planned.branch
    const count = looks.get(share) ?? 0
    if (count >= MOST_LOOKS || !isOfActedOnType(planned) || seen.has(`${type} ${id}`)) return false
    looks.set(share, count + 1)
    seen.add(`${type} ${id}`)
    return true
  }

  async function effectsOf(type: NotifiedType, id: string): Promise<number> {
    try {
      return (await probe(type, id)).effects
    } catch (error) {
      // The end of the load reports unreadable effects.
      if (error instanceof ProbeError) return 0
      throw error
    }
  }

  async function look({ type, id }: LoadMessage): Promise<void> {
    if ((await effectsOf(type, id)) === 0) return
    throw new UsageError(
      `Cannot use seed ${seed} again: your platform has effects of ${type} ${id} already, of which it was not told yet. ` +
        'Empty your platform, or leave out the seed',
    )
  }

  return async (planned) => {
    const message = await make(planned)
    if (isToBeLookedAt(planned, message)) await look(message)
    return message
  }
}

function isOfActedOnType(planned: PlannedNotification): boolean {
  if (planned.kind === 'object') return true
  const { parts, deciding } = planned.branch
  return deciding !== undefined && parts[planned.part]?.type === parts[deciding]?.type
}
