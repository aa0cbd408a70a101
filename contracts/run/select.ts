import { correctSpelling, UsageError } from '../../sandbox/internal.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'

/** The checks whose id or topic is among `names`; all if there are none. Throws UsageError with the one that was meant. */
export function selectChecks(
  checks: readonly ReceiverCheck[],
  names: readonly string[],
): readonly ReceiverCheck[] {
  for (const name of names) {
    if (!isKnown(checks, name)) throw unknownError(checks, name, 'check or topic')
  }
  return names.length === 0 ? checks : checks.filter((check) => names.some((name) => isNamed(check, name)))
}

/** The check of this id. Throws UsageError with the one that was meant. */
export function findCheck(checks: readonly ReceiverCheck[], id: string): ReceiverCheck {
  const check = checks.find((one) => one.id === id)
  if (check) return check
  throw unknownError(checks, id, 'check')
}

/** Whether it is the id or the topic of a check. */
export function isKnown(checks: readonly ReceiverCheck[], name: string): boolean {
  return checks.some((check) => isNamed(check, name))
}

/** The id or topic that this is a misspelling of. */
export function correctId(checks: readonly ReceiverCheck[], name: string): string | undefined {
  const ids = checks.map(({ id }) => id)
  // The name alone, without its topic, is how a check is remembered.
  const named = ids.find((id) => id.endsWith(`/${name}`))
  // A word without a slash may have been meant as a topic.
  return named ?? correctSpelling(name, name.includes('/') ? ids : [...new Set(checks.map(topicOf)), ...ids])
}

/** `topic` of `topic/name`. */
export function topicOf({ id }: Pick<ReceiverCheck, 'id'>): string {
  return id.replace(/\/.*$/, '')
}

function isNamed({ id }: ReceiverCheck, name: string): boolean {
  return id === name || id.startsWith(`${name}/`)
}

function unknownError(checks: readonly ReceiverCheck[], name: string, what: string): UsageError {
  const meant = correctId(checks, name)
  const remedy = meant === undefined ? '"npx hookbench check --list" lists them' : `did you mean "${meant}"?`
  return new UsageError(`Cannot find check "${name}": there is no ${what} of that name; ${remedy}`)
}
