import type { NotifiedType } from '../../spec/notifications.ts'
import type { CheckResult } from '../run/run-result.ts'
import type { Answer, Cause } from './causes.ts'
import { countFailed, type FailureGroup } from './failure-groups.ts'
import { explainVerdict, formatCount } from './report.ts'

/** A cause in one sentence, and what to do about it first. */
export interface CauseText {
  /** Without a full stop. */
  readonly title: string
  readonly advice: string
}

export function describeCause(cause: Cause): CauseText {
  switch (cause.kind) {
    case 'refused': {
      const { type, answer } = cause
      const about = type === undefined ? '' : ` of ${type}`
      return {
        title: `Your receiver ${describeAnswer(answer)} usual notifications of ${type ?? 'every type'}`,
        advice: `Mend this first: what the other checks say${about} may follow from it.${adviseOn(answer)}`,
      }
    }
    case 'protocol-error':
      return {
        title: 'Your receiver answers with bytes that are not HTTP',
        advice:
          'The next notification on such a connection fails. Send no body with 204, and no more bytes than Content-Length says; then run all checks again.',
      }
    case 'no-effect':
      return {
        title:
          cause.type === undefined
            ? 'No effect was seen of any payment'
            : `No effect was seen of any of the ${cause.type}`,
        advice:
          'Your receiver took the notifications, and your effects show nothing done. Either it does nothing; or it does it later (settleMs); or the effects are read at the wrong place; or you count them on another object (consequences). Look at them for one of the ids below.',
      }
    case 'undue-effect':
      return {
        title: `Your receiver acts on ${cause.type} that are ${cause.state}`,
        advice:
          'Money moves for what has failed, or is not decided yet. Act only on the state that means success, as the service shows it.',
      }
    case 'repeated-effect':
      return { title: `Your receiver acts more than once on ${describeOne(cause.type)}`, advice: FIX_FIRST }
    case 'repeated-after-start':
      return {
        title: `Your receiver acts again on ${describeOne(cause.type)} after its process was started again`,
        advice: FIX_FIRST,
      }
    case 'ignored-state':
      return {
        title: `Your receiver keeps an earlier state of ${describeOne(cause.type)} and ignores the next`,
        advice: FIX_FIRST,
      }
    case 'not-reached':
    case 'probe-failed':
      return describeObstacle(cause.kind)
    default:
      return cause satisfies never
  }
}

const FIX_FIRST = 'Fix the check below first, then run all again: the others often fail for the same reason.'

function describeObstacle(kind: 'not-reached' | 'probe-failed'): CauseText {
  return kind === 'not-reached'
    ? {
        title: 'Your receiver was not reached any more',
        advice: 'It was there when the run began. See whether it still runs, and what it wrote last.',
      }
    : {
        title: 'What shows or handles your platform did not work',
        advice: 'Mend it and run these checks again: nothing is known of what they ask.',
      }
}

function describeOne(type: NotifiedType | undefined): string {
  return type === undefined ? 'one object' : `one of the ${type}`
}

function describeAnswer(answer: Answer): string {
  switch (answer) {
    case 'too-late':
      return 'does not answer in time'
    case 'cut-off':
      return 'ends the connection instead of answering'
    default:
      return `answers ${answer} to`
  }
}

/** What a configuration may lack. */
function adviseOn(answer: Answer): string {
  if (answer === 401 || answer === 403) {
    return ' If it wants a header or a signature, set receiver.headers or signatureSecret.'
  }
  return answer === 404 || answer === 405 ? ' See whether the URL is the one of your receiver.' : ''
}

/** Such as `13 musts and 6 recommendations fail by it, and 8 more checks cannot be judged`. */
export function describeExtent(group: FailureGroup): string {
  const failed = [group.lead, ...group.others]
  const open = group.unjudged.length
  const rest = open === 0 ? '' : `, and ${formatCount(open, 'more check')} cannot be judged`
  return `${countSeverities(failed)} ${countFailed(group) === 1 ? 'fails' : 'fail'} by it${rest}`
}

/** Why checks could not be judged: what they have in common, and what the first of them says. */
export function describeUnjudged({ cause, lead }: FailureGroup): string {
  const why = explainVerdict(lead)
  return cause ? `${describeCause(cause).title}: ${why}` : why
}

function countSeverities(results: readonly CheckResult[]): string {
  const musts = results.filter(({ check }) => check.severity === 'must').length
  const others = results.length - musts
  const parts = [
    ...(musts > 0 ? [formatCount(musts, 'must')] : []),
    ...(others > 0 ? [formatCount(others, 'recommendation')] : []),
  ]
  return parts.join(' and ')
}
