import type { NotifiedType } from '../../spec/notifications.ts'
import type { CheckResult, RunResult } from '../run/run-result.ts'
import { findCause, surveyRun, type RejectedAnswer, type Cause, type RunSurvey } from './causes.ts'
import { exchangesAbout } from './events.ts'
import { evidenceOf } from './excerpt.ts'
import { explainVerdict, formatCount } from './report.ts'

/** Groups checks by cause. Required checks come first, and causes that prevent verdicts come before other causes. */
export function groupByCause({ results }: Pick<RunResult, 'results'>) {
  const open = results.filter(
    ({ verdict, knownFailure }) => !knownFailure && (verdict === 'failed' || verdict === 'inconclusive'),
  )
  const known = surveyRun(results, open)
  const members = Map.groupBy(open, (result) => {
    const cause = findCause(result, known)
    return cause ? JSON.stringify(cause) : result.check.id
  })
  const groups = [...members.values()].flatMap((each) => toGroup(each, known))
  return {
    failures: groups.filter(({ lead }) => lead.verdict === 'failed').toSorted((a, b) => rank(a) - rank(b)),
    unjudged: groups.filter(({ lead }) => lead.verdict === 'inconclusive'),
  }
}

function rank({ lead, cause }: FailureGroup): number {
  return (lead.check.severity === 'must' ? 0 : 2) + (cause === undefined ? 1 : 0)
}

/** Groups checks with the same cause. A check without a known cause becomes a separate group. */
function toGroup(members: readonly CheckResult[], known: RunSurvey) {
  const isOptional = ({ check }: CheckResult) => Number(check.severity === 'should')
  const failed = members
    .filter(({ verdict }) => verdict === 'failed')
    .toSorted((a, b) => isOptional(a) - isOptional(b))
  const unjudged = members.filter(({ verdict }) => verdict === 'inconclusive')
  const [first] = [...failed, ...unjudged]
  if (!first) return []
  const found = findCause(first, known)
  const isRemedy = found?.kind === 'no-effect' || found?.kind === 'undue-effect'
  const lead = isRemedy ? simplest([...failed, ...unjudged], first) : first
  const cause = members.length > 1 || found?.kind === 'not-reached' ? found : undefined
  const words = cause && {
    ...describeCause(cause),
    /** The extent as text, such as `13 required checks fail for this cause`. */
    extent: describeExtent(failed, unjudged.length - Number(failed.length === 0)),
    /** True if the advice for the cause replaces the meaning and the remedy of the group's example. */
    isRemedy,
  }
  const isOther = (one: CheckResult) => one !== lead
  return [{ cause, words, lead, others: failed.filter(isOther), unjudged: unjudged.filter(isOther) }]
}

export type FailureGroup = ReturnType<typeof toGroup>[number]

function simplest(members: readonly CheckResult[], first: CheckResult): CheckResult {
  const alike = members.filter(
    ({ verdict, check }) => verdict === first.verdict && check.severity === first.check.severity,
  )
  return alike.reduce((best, one) => (countDeliveries(one) < countDeliveries(best) ? one : best), first)
}

function countDeliveries({ finding, events }: CheckResult): number {
  return exchangesAbout(evidenceOf(finding).objects ?? [], events).length
}

export function describeUnjudged({ words, lead }: FailureGroup): string {
  const why = explainVerdict(lead)
  return words ? `${words.title}: ${why}` : why
}

function describeExtent(failed: readonly CheckResult[], open: number): string {
  const musts = failed.filter(({ check }) => check.severity === 'must').length
  const others = failed.length - musts
  const parts = [
    ...(musts > 0 ? [formatCount(musts, 'required check')] : []),
    ...(others > 0 ? [formatCount(others, 'recommendation')] : []),
  ]
  const rest = open === 0 ? '' : `, and ${formatCount(open, 'more check')} cannot be judged`
  return `${parts.join(' and ')} ${failed.length === 1 ? 'fails' : 'fail'} for this cause${rest}`
}

function describeCause(cause: Cause): { readonly title: string; readonly advice: string } {
  switch (cause.kind) {
    case 'refused': {
      const { type, answer } = cause
      const about = type === undefined ? '' : ` of ${type}`
      return {
        title: `Your receiver ${describeAnswer(answer)} ordinary notifications of ${type ?? 'every type'}`,
        advice: `Fix this failure first. It may cause the results of the other checks${about}.${adviseOn(answer)}`,
      }
    }
    case 'no-effect': {
      const of = cause.type === undefined ? 'any payment' : `any of the ${cause.type}`
      return { title: `No effect of ${of} is visible`, advice: FIND_EFFECTS }
    }
    case 'undue-effect':
      return { title: `Your receiver acts on ${cause.type} that are ${cause.state}`, advice: ACT_ON_SUCCESS }
    case 'repeated-effect':
      return { title: `Your receiver acts more than once on ${describeOne(cause.type)}`, advice: FIX_FIRST }
    case 'repeated-after-start':
      return {
        title: `Your receiver acts again on ${describeOne(cause.type)} after a restart of its process`,
        advice: FIX_FIRST,
      }
    case 'ignored-state':
      return {
        title: `Your receiver keeps an earlier state of ${describeOne(cause.type)} and ignores the next state`,
        advice: FIX_FIRST,
      }
    case 'protocol-error':
    case 'not-reached':
    case 'probe-failed':
      return OBSTACLES[cause.kind]
    default:
      return cause satisfies never
  }
}

const FIND_EFFECTS =
  'Your receiver accepted the notifications, but no effect was visible. Check that the receiver acts, and acts in time (or raise settleMs). Check that "effects" reads the right place, and that "consequences" names the objects that you count. Look up the effects of one of the ids below.'
const ACT_ON_SUCCESS =
  'Your platform moves money for a failed or pending payment. Act only on the state that means success at the service.'
const FIX_FIRST =
  'Fix the check below first, then run all checks again. The other checks often fail for the same reason.'

const OBSTACLES = {
  'protocol-error': {
    title: 'Your receiver answers with bytes that are not HTTP',
    advice:
      'The next notification on such a connection fails. Send no body with 204, and no more bytes than Content-Length says. Then run all checks again.',
  },
  'not-reached': {
    title: 'Your receiver could no longer be reached',
    advice:
      'The receiver was reachable at the start of the run. Check that it still runs, and read its last log lines.',
  },
  'probe-failed': {
    title: 'The checks could not reach your platform',
    advice: 'Fix the effects, process or reconcile settings, then run these checks again.',
  },
} as const

function describeOne(type: NotifiedType | undefined): string {
  return type === undefined ? 'one object' : `one of the ${type}`
}

function describeAnswer(answer: RejectedAnswer): string {
  if (answer === 'too-late') return 'does not answer in time'
  return answer === 'cut-off' ? 'ends the connection instead of answering' : `answers ${answer} to`
}

function adviseOn(answer: RejectedAnswer): string {
  if (answer === 401 || answer === 403) {
    return ' If your receiver requires a header or a signature, set receiver.headers or signatureSecret.'
  }
  return answer === 404 || answer === 405 ? ' Check that the URL is the URL of your receiver.' : ''
}
