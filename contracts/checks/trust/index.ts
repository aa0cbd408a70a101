import { endpointChecks } from './endpoint.ts'
import { hostileIdsCheck } from './hostile-ids.ts'
import { hostileLinksCheck } from './hostile-links.ts'
import { hostileTextChecks } from './hostile-text.ts'
import { lieChecks } from './lies.ts'
import { lookupChecks } from './lookups.ts'
import { retryChecks } from './retries.ts'
import { sourceChecks } from './sources.ts'
import { troubleChecks } from './trouble.ts'
import { wrongPartyCheck } from './wrong-party.ts'
import type { ReceiverCheck } from '../../toolkit/check-context.ts'

export const trustChecks: readonly ReceiverCheck[] = [
  ...lookupChecks,
  ...lieChecks,
  wrongPartyCheck,
  hostileIdsCheck,
  hostileLinksCheck,
  ...troubleChecks,
  ...retryChecks,
  ...endpointChecks,
  ...sourceChecks,
  ...hostileTextChecks,
]
