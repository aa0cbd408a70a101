import { correctSpelling } from '../../spec/nearest.ts'
import { UsageError } from '../../sandbox/internal.ts'
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

/** A question for the check or topic that `name` is like, of these ids and topics; undefined if it is like none. */
export function suggestCheck(name: string, known: readonly string[]): string | undefined {
  const ids = known.filter((each) => each.includes('/'))
  const [word = '', end] = name.split('/')
  // The name alone, without its topic, is how a check is remembered.
  const named = ids.find((id) => id.endsWith(`/${end ?? word}`))
  if (named !== undefined) return `did you mean "${named}"?`
  const meant = correctSpelling(word, end === undefined ? known : ids.map((id) => topicOf({ id })))
  if (meant === undefined) return undefined
  if (end === undefined) return `did you mean "${meant}"?`
  const names = ids.flatMap((id) => (id.startsWith(`${meant}/`) ? id.slice(meant.length + 1) : []))
  const meantEnd = correctSpelling(end, names)
  if (meantEnd !== undefined) return `did you mean "${meant}/${meantEnd}"?`
  return `did you mean one of ${names.map((each) => `${meant}/${each}`).join(', ')}?`
}

/** The ids of the checks, and their topics. */
export function idsAndTopics(checks: readonly Pick<ReceiverCheck, 'id'>[]): readonly string[] {
  return [...new Set(checks.map(topicOf)), ...checks.map(({ id }) => id)]
}

/** `topic` of `topic/name`. */
export function topicOf({ id }: Pick<ReceiverCheck, 'id'>): string {
  return id.replace(/\/.*$/, '')
}

function isNamed({ id }: ReceiverCheck, name: string): boolean {
  return id === name || id.startsWith(`${name}/`)
}

function unknownError(checks: readonly ReceiverCheck[], name: string, what: string): UsageError {
  const remedy = suggestCheck(name, idsAndTopics(checks)) ?? '"npx hookbench check --list" lists them'
  return new UsageError(`Cannot find check "${name}": there is no ${what} of that name; ${remedy}`)
}
