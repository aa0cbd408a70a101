import { concludeRun, type Conclusion, type Demands } from '../run/exit-code.ts'
import { formatConsequence } from '../run/judged-consequences.ts'
import { reportedVerdict, type CheckResult, type ReportedVerdict, type RunResult } from '../run/run-result.ts'
import { capitalize, lowerFirst, type Style } from './columns.ts'
import { describeUnjudged, groupByCause, type FailureGroup } from './failure-groups.ts'
import { fixedFailures, formatCount, knownFailures, newFailures } from './report.ts'

/** The first statement of every report. Its tone is never `good` if the exit code is not 0. */
export interface Headline<Kind extends string = Conclusion> {
  readonly kind: Kind
  readonly tone: Tone
  /** Without a full stop. */
  readonly sentence: string
  /** The reason and the remedy. Empty if the report states them below. */
  readonly details: readonly string[]
}

export type Tone = 'good' | 'bad' | 'unknown' | 'partial'

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
  switch (kind) {
    case 'unreached':
      return {
        kind,
        tone: 'unknown',
        sentence: 'No verdict: your receiver could not be reached',
        details: [capitalize(result.unreached ?? '')],
      }
    case 'failed':
      return { kind, tone: 'bad', sentence: describeFailures(result), details: [] }
    case 'known-failure-passes':
      return { kind, tone: 'bad', ...describeFixed(fixedFailures(result)) }
    case 'requirement-unseen':
      return {
        kind,
        tone: 'unknown',
        sentence: `${nothingFailed(result.results)}, but a required observation is missing${requiredText(demands)}`,
        details: [],
      }
    case 'consequence-unjudged':
      return { kind, tone: 'unknown', ...afterFailures(result, describeMissed(result)) }
    case 'inconclusive':
      return { kind, tone: 'unknown', ...describeInconclusive(result, demands, unjudged) }
    case 'nothing-seen':
      return { kind, tone: 'unknown', ...describeNothing(result) }
    case 'recommendation-failed':
      return { kind, tone: 'partial', sentence: describeFailures(result), details: [] }
    case 'known-failures-only':
      return {
        kind,
        tone: 'partial',
        sentence: `Nothing new failed, ${formatCount(knownFailures(result).length, 'known failure')}`,
        details: [],
      }
    case 'partly-seen':
      return { kind, tone: 'partial', sentence: `Nothing failed, but ${unseenText(result)}`, details: [] }
    case 'passed':
      return { kind, tone: 'good', sentence: describePass(result), details: [] }
    default:
      return kind satisfies never
  }
}

function describeFailures(result: RunResult): string {
  const failures = newFailures(result)
  const musts = countMusts(failures)
  const share =
    musts === failures.length ? '' : musts === 0 ? ', none of them required' : `, ${musts} of them required`
  return `${formatCount(failures.length, 'check')} failed${share}`
}

function describeFixed(fixed: readonly CheckResult[]): Pick<Headline, 'sentence' | 'details'> {
  const ids = fixed.map(({ check }) => check.id).join(', ')
  const sentence = fixed.length === 1 ? 'A known failure passes' : `${fixed.length} known failures pass`
  return { sentence, details: [`Remove from knownFailures: ${ids}`] }
}

export function describeMissed({
  consequences,
}: Pick<RunResult, 'consequences'>): Pick<Headline, 'sentence' | 'details'> {
  const missed = consequences.filter(({ isMissed }) => isMissed)
  const sentence = 'The effects of a payment were not judged'
  const details = missed.map((each) => `${formatConsequence(each)}: ${each.obstacle}`)
  return { sentence, details: [...details, NAME_CONSEQUENCES] }
}

const NAME_CONSEQUENCES =
  'Set in "consequences" the objects that your platform acts on, or null for a payment that your platform does not use'

function describeInconclusive(
  { results }: RunResult,
  { failOn }: Demands,
  unjudged: readonly FailureGroup[],
): Pick<Headline, 'sentence' | 'details'> {
  const open = results.filter(({ verdict }) => verdict === 'inconclusive')
  const musts = countMusts(open)
  const what = failOn === 'must' ? formatCount(musts, 'required check') : formatCount(open.length, 'check')
  const isAll = results.every(({ verdict }) => verdict !== 'passed')
  const start = isAll ? 'No verdict:' : `${nothingFailed(results)}, but`
  const causes = unjudged.map(describeUnjudged)
  return {
    sentence: `${start} ${what} could not be judged`,
    details: [...new Set(causes)].slice(0, MOST_CAUSES).map(capitalize),
  }
}

function afterFailures(
  { results }: RunResult,
  { sentence, details }: Pick<Headline, 'sentence' | 'details'>,
): Pick<Headline, 'sentence' | 'details'> {
  return { sentence: `${nothingFailed(results)}, but ${lowerFirst(sentence)}`, details }
}

/** The sections list further causes. */
const MOST_CAUSES = 2

function nothingFailed(results: readonly CheckResult[]): string {
  return newFailures({ results }).length === 0 ? 'Nothing failed' : 'No required check failed'
}

function describeNothing({ results }: RunResult): Pick<Headline, 'sentence' | 'details'> {
  if (results.length === 0) return { sentence: 'No verdict: no check ran', details: [] }
  const musts = countMusts(results)
  const what = musts === 0 ? formatCount(results.length, 'check') : formatCount(musts, 'required check')
  return { sentence: `No verdict: the ${what} could not be observed`, details: [] }
}

function describePass(result: RunResult): string {
  const unseen = unseenText(result)
  return unseen === '' ? 'Nothing failed' : `Nothing failed; ${unseen}`
}

/** Describes unobserved checks, or else partly observed ones. Counts required checks if there are any. */
function unseenText({ results }: RunResult): string {
  const musts = results.filter(({ check }) => check.severity === 'must')
  const [asked, noun] =
    musts.length > 0 ? ([musts, 'required check'] as const) : ([results, 'check'] as const)
  const describe = (wanted: ReportedVerdict, what: string) => {
    const { length } = asked.filter((one) => reportedVerdict(one) === wanted)
    return length === 0 ? '' : `${formatCount(length, noun)} ${length === 1 ? 'was' : 'were'} ${what}`
  }
  return describe('not-observable', 'not observed') || describe('partly-observed', 'partly observed')
}

function requiredText({ require }: Demands): string {
  return require.length === 0 ? '' : ` (${require.join(', ')})`
}

function countMusts(results: readonly CheckResult[]): number {
  return results.filter(({ check }) => check.severity === 'must').length
}
