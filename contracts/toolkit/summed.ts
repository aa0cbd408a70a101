import { notObservable, PASSED, type Failed, type Finding } from '../finding.ts'

/**
 * One finding out of those of its parts, in their order. A receiver that was not there outweighs what it seems to have got
 * wrong, and a failure outweighs what could not be judged. Without any part there is nothing to observe.
 */
export function summed(parts: readonly (Finding | undefined)[], unseen?: string): Finding {
  const found = parts.filter((part) => part !== undefined && part.kind !== 'passed')
  const lost = found.find((part) => part.kind === 'inconclusive' && part.cause === 'unreachable')
  if (lost) return lost
  const failures = found.filter((part) => part.kind === 'failed')
  const [first] = failures
  if (first) return counting(first, { failures: failures.length, parts: parts.length })
  const spoilt = found.find((part) => part.kind === 'inconclusive')
  if (spoilt) return spoilt
  const blind = found.filter((part) => part.kind === 'not-observable')
  if (blind.length === parts.length) return blind[0] ?? notObservable(unseen ?? 'Nothing is left to look at')
  return passed(unseen, ...parts.map(unseenIn))
}

/** Passed, and in one sentence what was not seen. */
export function passed(...unseen: readonly (string | undefined)[]): Finding {
  const texts = new Set(unseen.filter((text) => text !== undefined))
  return texts.size === 0 ? PASSED : { kind: 'passed', unseen: [...texts].join('; ') }
}

function unseenIn(part: Finding | undefined): string | undefined {
  if (part?.kind === 'passed') return part.unseen
  return part?.kind === 'not-observable' ? part.why : undefined
}

function counting(
  first: Failed,
  { failures, parts }: { readonly failures: number; readonly parts: number },
): Failed {
  if (failures === 1) return first
  return { ...first, actual: `${first.actual} (the first of ${failures} failures in ${parts} tries)` }
}
