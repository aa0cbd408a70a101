import { describeLoss } from '../check.ts'
import { formatConsequence } from '../run/judged-consequences.ts'
import { reportedVerdict, type CheckResult, type RunResult } from '../run/run-result.ts'
import { topicOf } from '../run/select.ts'
import { describeUnjudged, type FailureGroup } from './failure-groups.ts'
import { describeSettings, explainVerdict, fixedFailures, formatCount, knownFailures } from './report.ts'

export interface Section {
  readonly kind: 'fixed' | 'inconclusive' | 'known' | 'partly-observed' | 'not-observed' | 'skipped'
  readonly title: string
  readonly items: readonly SectionItem[]
}

export interface SectionItem {
  /** The reason, or the setting to change. Empty if the title of the section already contains this text. */
  readonly text: string
  /** The ids of the checks, or the descriptions of the payments, in this item. */
  readonly names: readonly string[]
  readonly results: readonly CheckResult[]
  /** The missing settings. Undefined if no setting would make the checks observable. */
  readonly settings?: string | undefined
}

const NOT_OBSERVED = 'Not observed'
const PARTLY_OBSERVED = 'Partly observed'
const FIXED = 'Known to fail, but passes. Remove it from knownFailures'

/** Returns the non-empty sections that follow the failures in a report. All report formats use the same order of sections. */
export function listSections(result: RunResult, unjudged: readonly FailureGroup[]): readonly Section[] {
  const isReached = result.unreached === null
  const { results } = result
  const isPart = (one: CheckResult) => reportedVerdict(one) === 'partly-observed'
  const isSkipped = ({ verdict }: CheckResult) => verdict === 'skipped'
  const notObserved = isReached ? [...unobservedChecks(result), ...unjudgedConsequences(result)] : []
  const sections: readonly Section[] = [
    { kind: 'fixed', title: FIXED, items: fixedFailures(result).map((one) => toItem('', [one])) },
    { kind: 'inconclusive', title: 'Inconclusive', items: isReached ? unjudgedItems(unjudged) : [] },
    { kind: 'known', title: 'Known failures', items: knownFailures(result).map((one) => toItem('', [one])) },
    { kind: 'partly-observed', title: PARTLY_OBSERVED, items: itemsByReason(results.filter(isPart)) },
    { kind: 'not-observed', title: NOT_OBSERVED, items: notObserved },
    { kind: 'skipped', title: 'Skipped', items: itemsByReason(results.filter(isSkipped)) },
  ]
  return sections.filter(({ items }) => items.length > 0)
}

function toItem(text: string, results: readonly CheckResult[], settings?: string): SectionItem {
  return { text, names: results.map(({ check }) => check.id), results, settings }
}

function itemsByReason(results: readonly CheckResult[]): readonly SectionItem[] {
  return [...Map.groupBy(results, explainVerdict)].map(([why, members]) => toItem(why, members))
}

function unjudgedItems(groups: readonly FailureGroup[]): readonly SectionItem[] {
  return [...Map.groupBy(groups, describeUnjudged)].map(([why, members]) =>
    toItem(
      why,
      members.flatMap(({ lead, unjudged }) => [lead, ...unjudged]),
    ),
  )
}

function unobservedChecks({ results }: Pick<RunResult, 'results'>): readonly SectionItem[] {
  const unobserved = results.filter(({ verdict }) => verdict === 'not-observable')
  const groups = Map.groupBy(unobserved, (result) => describeSettings(result) ?? explainVerdict(result))
  return [...groups]
    .map(([why, members]) => {
      const settings = members[0] && describeSettings(members[0])
      const loss = describeLoss(members[0]?.missing ?? [])
      const more = ` to observe ${formatCount(members.length, 'more check')}${loss}`
      return toItem(settings === undefined ? why : why + more, members, settings)
    })
    .toSorted((a, b) => b.results.length - a.results.length)
}

const UNUSED_KIND =
  'If your platform does not use this kind of payment, set the kind to null in "consequences"'

/** Lists configured consequences that no check judged. After a run of all checks, also lists unconfigured consequences. */
function unjudgedConsequences({ consequences }: Pick<RunResult, 'consequences'>): readonly SectionItem[] {
  const unjudged = consequences.filter(
    ({ judgedBy, isConfigured, isLookedFor }) => judgedBy.length === 0 && (isConfigured || isLookedFor),
  )
  const groups = Map.groupBy(unjudged, ({ obstacle, isConfigured }) =>
    isConfigured ? `${obstacle}` : `${obstacle}. ${UNUSED_KIND}`,
  )
  return [...groups].map(([why, members]) => ({
    text: `no check judged whether your platform acts once on a payment: ${why}`,
    names: members.map(formatConsequence),
    results: [],
  }))
}

/** Returns a title such as `Not observed: 20 required checks`, and lines such as `15: set effects.http`. */
export function describeUnseenMusts(result: RunResult, sections: readonly Section[]) {
  if (result.unreached !== null) return undefined
  const itemsOf = (kind: Section['kind']) => sections.find((each) => each.kind === kind)?.items ?? []
  const groups = withMusts(itemsOf('not-observed'))
  const musts = groups.flatMap(({ results }) => results)
  const partly = withMusts(itemsOf('partly-observed'))
  const partlySeen = formatCount(partly.flatMap(({ results }) => results).length, 'required check')
  const unjudged = itemsOf('not-observed')
    .filter(({ results }) => results.length === 0)
    .map(describeItem)
  if (musts.length > 0) {
    return {
      title: `${NOT_OBSERVED}: ${formatCount(musts.length, 'required check')}${describeStakes(musts, result)}`,
      lines: [
        ...unjudged,
        ...describeRemedies(groups),
        ...(partly.length === 0 ? [] : [`${partlySeen} partly observed: see "${PARTLY_OBSERVED}"`]),
      ],
    }
  }
  if (unjudged.length > 0) return { title: NOT_OBSERVED, lines: unjudged }
  if (partly.length === 0) return undefined
  return { title: `${PARTLY_OBSERVED}: ${partlySeen}`, lines: partly.map(describeItem) }
}

function describeItem({ text, names }: SectionItem): string {
  return `${names.join(', ')}: ${text}`
}

function withMusts(items: readonly SectionItem[]): readonly SectionItem[] {
  return items.flatMap(({ text, results, settings }) => {
    const musts = results.filter(({ check }) => check.severity === 'must')
    return musts.length === 0 ? [] : [toItem(text, musts, settings)]
  })
}

function describeRemedies(items: readonly SectionItem[]): readonly string[] {
  const others = items.filter(({ settings }) => settings === undefined).flatMap(({ results }) => results)
  return [
    ...items.flatMap(({ settings, results }) =>
      settings === undefined ? [] : [`${results.length}: ${settings}`],
    ),
    ...(others.length === 0 ? [] : [`${others.length}: see "${NOT_OBSERVED}"`]),
  ]
}

/** The risk that each topic covers. The most expensive risk comes first. */
const STAKES: ReadonlyMap<string, string> = new Map([
  ['idempotency', 'double effects'],
  ['trust', 'forged bodies'],
  ['order', 'late and reordered states'],
  ['recovery', 'losses in a crash'],
  ['signature', 'forged signatures'],
  ['body', 'unusual bodies'],
])
const MAX_STAKES = 2

function describeStakes(musts: readonly CheckResult[], { results }: Pick<RunResult, 'results'>): string {
  const isSeen = ({ verdict, check: { severity, needs = [] } }: CheckResult) =>
    (verdict === 'passed' || verdict === 'failed') &&
    severity === 'must' &&
    (needs.includes('effects') || needs.includes('signature'))
  const seen = new Set(results.filter(isSeen).map(({ check }) => topicOf(check)))
  const topics = new Set(musts.map(({ check }) => topicOf(check)))
  const stakes = [...STAKES].flatMap(([topic, stake]) =>
    topics.has(topic) && !seen.has(topic) ? [stake] : [],
  )
  if (stakes.length === 0) return ''
  const named = stakes.slice(0, MAX_STAKES).join(' and ')
  return topics.size <= MAX_STAKES && stakes.length === topics.size
    ? ` about ${named}`
    : `, ${named} among them`
}
