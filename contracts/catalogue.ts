import type { Check } from './check.ts'
import { httpChecks } from './checks/http.ts'
import { idempotencyChecks } from './checks/idempotency.ts'
import { registrationChecks } from './checks/registration.ts'

/** Every check there is, in the order in which they run. */
export const catalogue: readonly Check[] = [...registrationChecks, ...httpChecks, ...idempotencyChecks]

/** The checks whose id or topic is among `names`; all if there are none. Throws RangeError with the nearest id. */
export function select(names: readonly string[]): readonly Check[] {
  for (const name of names) {
    if (catalogue.some((check) => isNamed(check, name))) continue
    throw new RangeError(
      `Cannot find check "${name}": the nearest is "${nearest(name)}" (hookbench check --list)`,
    )
  }
  return names.length === 0
    ? catalogue
    : catalogue.filter((check) => names.some((name) => isNamed(check, name)))
}

function isNamed({ id }: Check, name: string): boolean {
  return id === name || id.startsWith(`${name}/`)
}

function nearest(name: string): string {
  const ranked = catalogue.map(({ id }) => ({ id, gap: editDistance(id, name) }))
  return ranked.toSorted((a, b) => a.gap - b.gap)[0]?.id ?? ''
}

/** How many characters must be put in, taken out or replaced. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [line, character] of Array.from(a).entries()) {
    const next = [line + 1]
    for (const [column, other] of Array.from(b).entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
