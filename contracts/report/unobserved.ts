import { describeLoss } from '../check.ts'
import { formatConsequence } from '../run/judged-consequences.ts'
import { reportedVerdict, type CheckResult, type RunResult } from '../run/run-result.ts'
import { topicOf } from '../run/select.ts'
import { describeSettings, explainVerdict, formatCount } from './report.ts'

/** What was not observable for one reason. */
export interface UnobservedGroup {
  /** What to do, or why it cannot be helped. */
  readonly text: string
  /** What has to be set; undefined if no setting helps. */
  readonly settings: string | undefined
  readonly results: readonly CheckResult[]
  /** Ids of these checks, or what your platform acts on. */
  readonly names: readonly string[]
}

type Observed = Pick<RunResult, 'results' | 'consequences'>

/** The checks that were not observable, by what would make them so, the largest group first; then what was not judged. */
export function groupUnobserved(result: Observed): readonly UnobservedGroup[] {
  return [...groupChecks(result), ...groupConsequences(result)]
}

const UNUSED_KIND = 'where your platform has no use for a kind, set it to null in consequences'

/** What your platform acts on and no check judged: what is configured, and in a run that looked for all, the rest. */
function groupConsequences({ consequences }: Observed): readonly UnobservedGroup[] {
  const unjudged = consequences.filter(
    ({ judgedBy, isConfigured, isLookedFor }) => judgedBy.length === 0 && (isConfigured || isLookedFor),
  )
  const groups = Map.groupBy(unjudged, ({ obstacle, isConfigured }) =>
    isConfigured ? `${obstacle}` : `${obstacle}; ${UNUSED_KIND}`,
  )
  return [...groups].map(([why, members]) => ({
    text: `it was not judged whether your platform acts once on a payment: ${why}`,
    settings: undefined,
    results: [],
    names: members.map(formatConsequence),
  }))
}

function groupChecks({ results }: Pick<RunResult, 'results'>): readonly UnobservedGroup[] {
  const unobserved = results.filter(({ verdict }) => verdict === 'not-observable')
  const groups = Map.groupBy(unobserved, (result) => describeSettings(result) ?? explainVerdict(result))
  return [...groups]
    .map(([text, members]) => {
      const settings = members[0] && describeSettings(members[0])
      return {
        text:
          settings === undefined
            ? text
            : `${text} to observe ${formatCount(members.length, 'more check')}${describeLoss(members[0]?.missing ?? [])}`,
        settings,
        results: members,
        names: namesOf(members),
      }
    })
    .toSorted((a, b) => b.results.length - a.results.length)
}

/** The musts that nobody looked at, and what it takes. */
export interface UnseenMusts {
  /** Such as `Not seen: 20 musts, acting twice on one payment and forged bodies among them`. */
  readonly title: string
  /** Such as `15: set effects.http`. */
  readonly lines: readonly string[]
}

/** Undefined where each was looked at, as a whole. */
export function describeUnseenMusts(result: Observed): UnseenMusts | undefined {
  const groups = withMusts(groupUnobserved(result))
  const musts = groups.flatMap(({ results }) => results)
  const partly = withMusts(groupSeenInPart(result))
  const seenInPart = formatCount(partly.flatMap(({ results }) => results).length, 'must')
  const unjudged = groupConsequences(result).map(({ text, names }) => `${names.join(', ')}: ${text}`)
  if (musts.length > 0) {
    return {
      title: `Not seen: ${formatCount(musts.length, 'must')}${describeStakes(musts, result)}`,
      lines: [
        ...unjudged,
        ...describeRemedies(groups),
        ...(partly.length === 0 ? [] : [`${seenInPart} partly observed: see "${SEEN_IN_PART}"`]),
      ],
    }
  }
  if (unjudged.length > 0) return { title: 'Not seen', lines: unjudged }
  if (partly.length === 0) return undefined
  return { title: `${SEEN_IN_PART}: ${seenInPart}`, lines: partly.map(describePart) }
}

function withMusts(groups: readonly UnobservedGroup[]): readonly UnobservedGroup[] {
  return groups
    .map((group) => ({ ...group, results: group.results.filter(({ check }) => check.severity === 'must') }))
    .filter(({ results }) => results.length > 0)
}

function describeRemedies(groups: readonly UnobservedGroup[]): readonly string[] {
  const others = groups.filter(({ settings }) => settings === undefined).flatMap(({ results }) => results)
  return [
    ...groups.flatMap(({ settings, results }) =>
      settings === undefined ? [] : [`${results.length}: ${settings}`],
    ),
    ...(others.length === 0 ? [] : [`${others.length}: see "${NOT_OBSERVED}"`]),
  ]
}

function describePart({ text, results }: UnobservedGroup): string {
  return `${namesOf(results).join(', ')}: ${text}`
}

/** The heading that stands in each report over what nobody looked at. */
export const NOT_OBSERVED = 'Not observed'

/** The heading that stands over them in each report. */
export const SEEN_IN_PART = 'Partly observed'

function namesOf(results: readonly CheckResult[]): readonly string[] {
  return results.map(({ check }) => check.id)
}

/** The checks that were seen in part, by what was missing. */
export function groupSeenInPart({ results }: Pick<RunResult, 'results'>): readonly UnobservedGroup[] {
  const groups = Map.groupBy(
    results.filter((one) => reportedVerdict(one) === 'partly-observed'),
    explainVerdict,
  )
  return [...groups].map(([text, members]) => ({
    text,
    settings: undefined,
    results: members,
    names: namesOf(members),
  }))
}

/** What is at stake in the checks of a topic; what costs most comes first. */
const STAKES: ReadonlyMap<string, string> = new Map([
  ['idempotency', 'acting twice on one payment'],
  ['trust', 'forged bodies'],
  ['order', 'late and reordered states'],
  ['recovery', 'what a crash loses'],
  ['signature', 'forged signatures'],
  ['body', 'unusual bodies'],
])
const MOST_STAKES = 2

/** What was seen of a topic by its effects, or by its signatures, is not among what nobody looked at. */
function describeStakes(musts: readonly CheckResult[], { results }: Pick<RunResult, 'results'>): string {
  const seen = new Set(results.filter(isSeenByEffects).map(({ check }) => topicOf(check)))
  const topics = new Set(musts.map(({ check }) => topicOf(check)))
  const stakes = [...STAKES].flatMap(([topic, stake]) =>
    topics.has(topic) && !seen.has(topic) ? [stake] : [],
  )
  if (stakes.length === 0) return ''
  const named = stakes.slice(0, MOST_STAKES).join(' and ')
  return topics.size <= MOST_STAKES && stakes.length === topics.size
    ? ` about ${named}`
    : `, ${named} among them`
}

function isSeenByEffects({ verdict, check: { severity, needs = [] } }: CheckResult): boolean {
  const isJudged = verdict === 'passed' || verdict === 'failed'
  return isJudged && severity === 'must' && (needs.includes('effects') || needs.includes('signature'))
}
