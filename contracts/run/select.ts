import type { ReceiverCheck } from '../toolkit/check-context.ts'
import { UsageError } from '../../sandbox/internal.ts'
import { correctSpelling } from '../../spec/nearest.ts'

/** Selects checks by id or topic, by default all checks. Throws UsageError with a suggestion for an unknown name. */
export function selectChecks(
  checks: readonly ReceiverCheck[],
  names: readonly string[],
): readonly ReceiverCheck[] {
  for (const name of names) {
    if (!isKnown(checks, name)) throw unknownError(checks, name, 'check or topic')
  }
  return names.length === 0 ? checks : checks.filter((check) => names.some((name) => isNamed(check, name)))
}

/** Returns the check with this id. Throws UsageError with a suggestion for an unknown id. */
export function findCheck(checks: readonly ReceiverCheck[], id: string): ReceiverCheck {
  const check = checks.find((one) => one.id === id)
  if (check) return check
  throw unknownError(checks, id, 'check')
}

export function isKnown(checks: readonly ReceiverCheck[], name: string): boolean {
  return checks.some((check) => isNamed(check, name))
}

export function suggestCheck(name: string, known: readonly string[]): string | undefined {
  const ids = known.filter((each) => each.includes('/'))
  const [word = '', end] = name.split('/')
  // Users often remember the name of a check without its topic.
  const named = ids.find((id) => id.endsWith(`/${end ?? word}`))
  if (named !== undefined) return `Did you mean "${named}"?`
  const meant = correctSpelling(word, end === undefined ? known : ids.map((id) => topicOf({ id })))
  if (meant === undefined) return undefined
  if (end === undefined) return `Did you mean "${meant}"?`
  const names = ids.flatMap((id) => (id.startsWith(`${meant}/`) ? id.slice(meant.length + 1) : []))
  const meantEnd = correctSpelling(end, names)
  if (meantEnd !== undefined) return `Did you mean "${meant}/${meantEnd}"?`
  return `Did you mean one of ${names.map((each) => `${meant}/${each}`).join(', ')}?`
}

export function idsAndTopics(checks: readonly Pick<ReceiverCheck, 'id'>[]): readonly string[] {
  return [...new Set(checks.map(topicOf)), ...checks.map(({ id }) => id)]
}

export function topicOf({ id }: Pick<ReceiverCheck, 'id'>): string {
  return id.replace(/\/.*$/, '')
}

function isNamed({ id }: ReceiverCheck, name: string): boolean {
  return id === name || id.startsWith(`${name}/`)
}

function unknownError(checks: readonly ReceiverCheck[], name: string, what: string): UsageError {
  const remedy = suggestCheck(name, idsAndTopics(checks)) ?? 'See "npx hookbench check --list"'
  return new UsageError(`Cannot find check "${name}": unknown ${what}. ${remedy}`)
}

/** Divides the checks of a run into groups. Each group keeps the order of the catalogue. */
export function planChecks(checks: readonly ReceiverCheck[]) {
  const others = checks.filter(({ spansRun }) => spansRun !== true)
  const shared = others.filter(({ alone }) => alone !== true)
  return {
    /** The checks that run at the same time. Slow checks come first. */
    first: shared.toSorted((one, other) => Number(other.takesLong ?? false) - Number(one.takesLong ?? false)),
    alone: others.filter(({ alone }) => alone === true),
    /** The checks that span the run. These checks start first and end last, one after the other. */
    last: checks.filter(({ spansRun }) => spansRun === true),
  }
}

/** Starts and ends checks that span the run. These checks call `untilEnd` to wait for all other checks. */
export function createSpanningChecks<Result>(
  run: (check: ReceiverCheck, untilEnd: () => Promise<void>) => Promise<Result>,
) {
  const begun = new Map<string, ReturnType<typeof start>>()

  function start(check: ReceiverCheck) {
    const waiting = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const result = run(check, () => {
      waiting.resolve()
      return released.promise
    })
    return { waiting: waiting.promise, result, release: released.resolve }
  }

  return {
    /** Starts a check that spans the run. Resolves when the check is waiting for the other checks or has ended. */
    async begin(check: ReceiverCheck): Promise<void> {
      const started = start(check)
      begun.set(check.id, started)
      await Promise.race([started.waiting, started.result])
    },
    /** Lets a waiting check continue, and returns its result. Starts the check if it has not started. */
    end(check: ReceiverCheck): Promise<Result> {
      const { result, release } = begun.get(check.id) ?? start(check)
      begun.delete(check.id)
      release()
      return result
    },
  }
}
