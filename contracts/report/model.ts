import { requiredLevel } from '../check.ts'
import type { Demands } from '../run/exit-code.ts'
import { countVerdicts, type CheckResult, type RunResult } from '../run/run-result.ts'
import { groupByCause } from './failure-groups.ts'
import { headlineOf } from './headline.ts'
import {
  describeEffectDelay,
  explainVerdict,
  formatMs,
  LEVELS,
  quoteSource,
  type CheckReportOptions,
} from './report.ts'
import { findRepeat, repeatCommand } from './repeat.ts'
import { describeUnseenMusts, listSections } from './sections.ts'

/** Returns the content of a report as data. Every report format renders this data. */
export function modelRun(result: RunResult, demands: Demands) {
  const { failures, unjudged } = groupByCause(result)
  const { world } = result
  const delay = describeEffectDelay(result)
  const sections = listSections(result, unjudged)
  return {
    headline: headlineOf(result, demands, unjudged),
    counts: countVerdicts(result),
    /** The failures that are not known failures, in the order in which to fix them. */
    failures,
    sections,
    unseen: describeUnseenMusts(result, sections),
    circumstances: [
      `seed ${result.seed}`,
      `observed up to level ${result.level} (${LEVELS[result.level]})`,
      formatMs(result.tookMs),
      ...(world === null ? [] : [world === 'new' ? 'in its own world' : `in world ${world}`]),
      ...(delay === undefined ? [] : [delay]),
    ],
  }
}

export type ReportModel = ReturnType<typeof modelRun>

export interface Fact {
  readonly name:
    'Required' | 'Expected' | 'Why' | 'Not observed' | 'Story' | 'Meaning' | 'Fix' | 'Document' | 'Reading'
  readonly lines: readonly string[]
}

/** Returns the failure as the title of a failed check. For other verdicts, the title is the requirement. */
export function titleOf(result: CheckResult): string {
  return result.finding?.kind === 'failed' ? result.finding.actual : result.check.requirement
}

/** Returns the content of a check. If `isExample` is true, omits the meaning and the remedy, because the cause contains both. */
export function modelCheck(result: CheckResult, options: CheckReportOptions, isExample = false) {
  const { check, finding, verdict } = result
  const why = explainVerdict(result)
  const isFailed = finding?.kind === 'failed'
  const facts: readonly Fact[] = [
    { name: 'Required', lines: isFailed ? [check.requirement] : [] },
    { name: 'Expected', lines: isFailed ? [finding.expected] : [] },
    { name: verdict === 'passed' ? 'Not observed' : 'Why', lines: isFailed || why === '' ? [] : [why] },
    { name: 'Story', lines: (isFailed && finding.counterexample?.story) || [] },
    { name: 'Meaning', lines: isExample ? [] : [check.meaning] },
    { name: 'Fix', lines: isExample ? [] : [check.remedy] },
    { name: 'Document', lines: quoteSource(result) },
    { name: 'Reading', lines: check.readings?.length ? [check.readings.join(', ')] : [] },
  ]
  return {
    title: titleOf(result),
    rank: `${check.severity} · ${LEVELS[requiredLevel(check)]}`,
    facts: facts.filter(({ lines }) => lines.length > 0),
    command: repeatCommand(result, options),
    test: findRepeat(result, options)?.test,
  }
}
