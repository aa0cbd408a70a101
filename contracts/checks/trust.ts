import type { Check } from '../check.ts'
import { doorChecks } from './trust/door.ts'
import { hostileIdsCheck } from './trust/hostile-ids.ts'
import { hostileLinksCheck } from './trust/hostile-links.ts'
import { hostileTextChecks } from './trust/hostile-text.ts'
import { lieChecks } from './trust/lies.ts'
import { lookupChecks } from './trust/lookups.ts'
import { troubleChecks } from './trust/trouble.ts'

export const trustChecks: readonly Check[] = [
  ...lookupChecks,
  ...lieChecks,
  hostileIdsCheck,
  hostileLinksCheck,
  ...troubleChecks,
  ...doorChecks,
  ...hostileTextChecks,
]
