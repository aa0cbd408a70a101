import { nearest } from '../sandbox/index.ts'
import type { Check } from './check.ts'
import { httpChecks } from './checks/http.ts'
import { idempotencyChecks } from './checks/idempotency.ts'
import { registrationChecks } from './checks/registration.ts'

/** Every check there is, in the order in which they run. */
export const catalogue: readonly Check[] = [...registrationChecks, ...httpChecks, ...idempotencyChecks]

/** The checks whose id or topic is among `names`; all if there are none. Throws RangeError with the nearest id. */
export function select(names: readonly string[]): readonly Check[] {
  const ids = catalogue.map(({ id }) => id)
  for (const name of names) {
    if (catalogue.some((check) => isNamed(check, name))) continue
    throw new RangeError(
      `Cannot find check "${name}": the nearest is "${nearest(name, ids)}" (npx hookbench check --list)`,
    )
  }
  return names.length === 0
    ? catalogue
    : catalogue.filter((check) => names.some((name) => isNamed(check, name)))
}

function isNamed({ id }: Check, name: string): boolean {
  return id === name || id.startsWith(`${name}/`)
}
