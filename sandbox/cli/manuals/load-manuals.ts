import { CLOCK_MANUALS } from './clock-manuals.ts'
import { DELIVERY_MANUALS } from './delivery-manuals.ts'
import { FAULT_MANUALS } from './fault-manuals.ts'
import type { Manuals } from './manual.ts'
import { OBJECT_MANUALS } from './object-manuals.ts'
import { PAYMENT_MANUALS } from './payment-manuals.ts'
import { PROGRAM_MANUALS } from './program-manuals.ts'
import { RECEIVER_MANUALS } from './receiver-manuals.ts'
import { SANDBOX_MANUALS } from './sandbox-manuals.ts'
import { WORLD_MANUALS } from './world-manuals.ts'
import { WORLDS_MANUALS } from './worlds-manuals.ts'

/** Whatever has commands may have manuals for them. */
export interface ManualSource {
  readonly loadManuals?: () => Promise<Manuals>
}

/** The manual of every command: those of the sandbox, and those that come with commands of other folders. */
export async function loadManuals(sources: readonly ManualSource[]): Promise<Manuals> {
  const others = await Promise.all(sources.flatMap(({ loadManuals: load }) => (load ? [load()] : [])))
  return Object.assign(
    {},
    SANDBOX_MANUALS,
    OBJECT_MANUALS,
    PAYMENT_MANUALS,
    DELIVERY_MANUALS,
    FAULT_MANUALS,
    CLOCK_MANUALS,
    WORLD_MANUALS,
    WORLDS_MANUALS,
    RECEIVER_MANUALS,
    PROGRAM_MANUALS,
    ...others,
  )
}
