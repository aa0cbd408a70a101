import type { Ports } from '../engine/core/ports.ts'
import type { Settings } from '../engine/core/settings.ts'
import type { Egress } from '../engine/delivery/egress.ts'
import type { SourceAddresses } from '../engine/delivery/source-addresses.ts'
import type { UnsubscribedTrigger } from '../engine/notifications/unsubscribed-triggers.ts'
import type { AttemptHead } from '../engine/state/entries.ts'
import type { JobRecord } from '../engine/state/indexes.ts'
import type { Log } from '../engine/state/log.ts'

export interface Dependencies {
  readonly ports: Ports
  readonly log: Log
  readonly settings: Settings
  /** Where deliveries seem to come from; anywhere if left out. */
  readonly source?: SourceAddresses | undefined
  readonly egress: Egress
  /** What access tokens are signed with. */
  readonly tokenKey: Uint8Array
  readonly benchToken: string
  readonly serviceUrl: () => string
  /** How many first attempts of one registration may be under way at once. */
  readonly concurrency?: number | undefined
  readonly onAttempt: (job: JobRecord, attempt: AttemptHead) => void
  /** Called once with each type that changes while no registration is notified of it. */
  readonly onUnsubscribed?: ((unsubscribed: UnsubscribedTrigger) => void) | undefined
  /** Called with what should not happen, with the operation or job that it happened to. */
  readonly onError: (where: string, error: unknown) => void
}
