import { findNearest, UsageError } from '../../sandbox/internal.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'

/** The checks whose id or topic is among `names`; all if there are none. Throws UsageError with the nearest id. */
export function selectChecks(
  checks: readonly ReceiverCheck[],
  names: readonly string[],
): readonly ReceiverCheck[] {
  for (const name of names) {
    if (checks.some((check) => isNamed(check, name))) continue
    throw new UsageError(`Cannot find check "${name}"${nearestTo(checks, name)}`)
  }
  return names.length === 0 ? checks : checks.filter((check) => names.some((name) => isNamed(check, name)))
}

/** The check of this id. Throws UsageError with the nearest id. */
export function findCheck(checks: readonly ReceiverCheck[], id: string): ReceiverCheck {
  const check = checks.find((one) => one.id === id)
  if (check) return check
  throw new UsageError(`Cannot find check "${id}"${nearestTo(checks, id)}`)
}

/** `topic` of `topic/name`. */
export function topicOf({ id }: Pick<ReceiverCheck, 'id'>): string {
  return id.replace(/\/.*$/, '')
}

function isNamed({ id }: ReceiverCheck, name: string): boolean {
  return id === name || id.startsWith(`${name}/`)
}

/** A word without a slash may have been meant as a topic. */
function nearestTo(checks: readonly ReceiverCheck[], name: string): string {
  const ids = checks.map(({ id }) => id)
  const words = name.includes('/') ? ids : [...new Set(checks.map(topicOf)), ...ids]
  const word = findNearest(name, words)
  return `${word === undefined ? '' : `: the nearest is "${word}"`} (npx hookbench check --list)`
}
