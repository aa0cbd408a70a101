import type { Database } from './database.ts'
import type { Deadline } from './deadline.ts'
import { extendLeases } from './world-rows.ts'

/** A lease that is to be extended while nothing is written. */
export interface KeptLease {
  readonly world: number
  readonly holder: string
  epoch(): number
  /** Until when the node may regard it as held. */
  readonly deadline: Deadline
  /** Another has taken it. */
  lose(): void
}

/** Extends the leases of a node, all that are due in one statement. What is written extends its own. */
export interface LeaseKeeper {
  add(lease: KeptLease): void
  remove(lease: KeptLease): void
  close(): void
}

/** How often in the time of a lease, and below which share of that time one is due. */
const LOOKS = 6
const DUE_SHARE = 2 / 3

export function createLeaseKeeper(database: Database, durationMs: number): LeaseKeeper {
  const leases = new Set<KeptLease>()
  let isExtending = false

  async function extendDue(): Promise<void> {
    const due = [...leases].filter(({ deadline }) => deadline.leftMs < durationMs * DUE_SHARE)
    if (isExtending || due.length === 0) return
    isExtending = true
    const sent = due.map((lease) => ({
      lease,
      world: lease.world,
      holder: lease.holder,
      epoch: lease.epoch(),
    }))
    const sentAt = performance.now()
    try {
      const extended = await extendLeases(database, sent, durationMs)
      for (const { lease, world, epoch } of sent) {
        // Taken again meanwhile by its node, it has another epoch.
        if (!leases.has(lease) || lease.epoch() !== epoch) continue
        if (extended.has(world)) lease.deadline.putOff(sentAt)
        else lease.lose()
      }
    } catch {
      // It is away: each lease says so when it has run out.
    } finally {
      isExtending = false
    }
  }

  const timer = setInterval(() => void extendDue(), durationMs / LOOKS).unref()
  return {
    add: (lease) => void leases.add(lease),
    remove: (lease) => void leases.delete(lease),
    close: () => clearInterval(timer),
  }
}
