import { startSentence } from '../../sandbox/internal.ts'
import { concludeRun, CONCLUSIONS, type Conclusion, type Demands, type Tone } from '../run/exit-code.ts'
import { formatConsequence } from '../run/judged-consequences.ts'
import { reportedVerdict, type CheckResult, type ReportedVerdict, type RunResult } from '../run/run-result.ts'
import { lowerFirst, type Style } from './columns.ts'
import { describeUnjudged, groupByCause, type FailureGroup } from './failure-groups.ts'
import { fixedFailures, formatCount, knownFailures, newFailures } from './report.ts'

/** The first statement of a report. The tone is `good` only if the exit code is 0. */
export interface Headline<Kind extends string = Conclusion> {
  readonly kind: Kind
  readonly tone: Tone
  /** The first sentence of the report, without a full stop. */
  readonly sentence: string
  /** The reason and the fix. Empty if a later section of the report contains the reason and the fix. */
  readonly details: readonly string[]
}

export const TONES: {
  readonly [Each in Tone]: { readonly mark: string; readonly emoji: string; readonly style: Style }
} = {
  good: { mark: '✓', emoji: '✅', style: ['bold', 'green'] },
  bad: { mark: '✗', emoji: '❌', style: ['bold', 'red'] },
  unknown: { mark: '?', emoji: '❌', style: ['bold', 'red'] },
  partial: { mark: '!', emoji: '⚠️', style: ['bold', 'yellow'] },
}

export function headlineOf(
  result: RunResult,
  demands: Demands,
  unjudged: readonly FailureGroup[] = groupByCause(result).unjudged,
): Headline {
  const kind = concludeRun(result, demands)
  const [sentence, details = []] = describeConclusion(kind, result, { ...demands, unjudged })
  return { kind, tone: CONCLUSIONS[kind][1], sentence, details }
}

type Description = readonly [sentence: string, details?: readonly string[]]

function describeConclusion(
  kind: Conclusion,
  result: RunResult,
  { failOn, require, unjudged }: Demands & { readonly unjudged: readonly FailureGroup[] },
): Description {
  const { results } = result
  const noFailure = newFailures(result).length === 0 ? 'Nothing failed' : 'No required check failed'
  switch (kind) {
    case 'unreached':
      return ['No verdict: your receiver could not be reached', [startSentence(result.unreached ?? '')]]
    case 'failed':
    case 'recommendation-failed':
      return [describeFailures(newFailures(result))]
    case 'known-failure-passes': {
      const fixed = fixedFailures(result).map(({ check }) => check.id)
      const sentence = fixed.length === 1 ? 'A known failure passes' : `${fixed.length} known failures pass`
      return [sentence, [`Remove these checks from knownFailures: ${fixed.join(', ')}`]]
    }
    case 'requirement-unseen': {
      const required = require.length === 0 ? '' : ` (${require.join(', ')})`
      return [`${noFailure}, but a required observation is missing${required}`]
    }
    case 'consequence-unjudged': {
      const [sentence, details] = describeMissed(result)
      return [`${noFailure}, but ${lowerFirst(sentence)}`, details]
    }
    case 'inconclusive': {
      const open = results.filter(({ verdict }) => verdict === 'inconclusive')
      const start = results.every(({ verdict }) => verdict !== 'passed') ? 'No verdict:' : `${noFailure}, but`
      const causes = new Set(unjudged.map(describeUnjudged))
      return [
        `${start} ${failOn === 'must' ? countRequired(open) : formatCount(open.length, 'check')} could not be judged`,
        [...causes].slice(0, MAX_CAUSES).map(startSentence),
      ]
    }
    case 'nothing-seen': {
      if (results.length === 0) return ['No verdict: no check ran']
      const what = countMusts(results) === 0 ? formatCount(results.length, 'check') : countRequired(results)
      return [`No verdict: the ${what} could not be observed`]
    }
    case 'known-failures-only':
      return [`Nothing new failed. ${formatCount(knownFailures(result).length, 'known failure')}`]
    case 'partly-seen':
      return [`Nothing failed, but ${describeUnseen(result)}`]
    case 'passed':
      return [['Nothing failed', describeUnseen(result)].filter(Boolean).join('; ')]
    default:
      return kind satisfies never
  }
}

const MAX_CAUSES = 2

function describeFailures(failures: readonly CheckResult[]): string {
  const musts = countMusts(failures)
  const share =
    musts === failures.length ? '' : musts === 0 ? ', none of them required' : `, ${musts} of them required`
  return `${formatCount(failures.length, 'check')} failed${share}`
}

export function describeMissed({
  consequences,
}: Pick<RunResult, 'consequences'>): readonly [sentence: string, details: readonly string[]] {
  const missed = consequences.filter(({ isMissed }) => isMissed)
  const details = missed.map((each) => `${formatConsequence(each)}: ${each.obstacle}`)
  return ['The effects of a payment were not judged', [...details, NAME_CONSEQUENCES]]
}

const NAME_CONSEQUENCES =
  'Set in "consequences" the objects that your platform acts on, or null for a payment that your platform does not use'

/** Describes how many checks were not fully observed. Counts only required checks, unless there are none. */
function describeUnseen({ results }: RunResult): string {
  const musts = results.filter(({ check }) => check.severity === 'must')
  const [asked, noun] =
    musts.length > 0 ? ([musts, 'required check'] as const) : ([results, 'check'] as const)
  const describe = (wanted: ReportedVerdict, what: string) => {
    const { length } = asked.filter((one) => reportedVerdict(one) === wanted)
    return length === 0 ? '' : `${formatCount(length, noun)} ${length === 1 ? 'was' : 'were'} ${what}`
  }
  return describe('not-observable', 'not observed') || describe('partly-observed', 'partly observed')
}

function countRequired(results: readonly CheckResult[]): string {
  return formatCount(countMusts(results), 'required check')
}

function countMusts(results: readonly CheckResult[]): number {
  return results.filter(({ check }) => check.severity === 'must').length
}
