import { toExitCode } from '../run/exit-code.ts'
import { escapeCommand, escapeCommandProperty } from './escape.ts'
import type { FailureGroup } from './failure-groups.ts'
import { modelRun } from './model.ts'
import { checkUrl, explainVerdict, fixedFailures, type Report } from './report.ts'

type Level = 'error' | 'warning'

interface Annotation {
  readonly level: Level
  readonly title: string
  readonly message: string
}

/** The maximum number of annotations per level that GitHub shows for a step. */
const MAX_SHOWN = 10

/** Writes the failures as GitHub workflow commands, grouped by cause. GitHub shows the commands as annotations. */
export const annotationsReport: Report = (result, { demands }) => {
  const { failures, headline } = modelRun(result, demands)
  const isCounted = ({ lead: { check } }: FailureGroup) =>
    demands.failOn === 'should' || check.severity === 'must'
  const annotations = [
    ...failures.map((group) => toAnnotation(group, isCounted(group) ? 'error' : 'warning')),
    ...fixedFailures(result).map(({ check: { id } }) => ({
      level: 'error' as const,
      title: id,
      message: 'The check is known to fail, but passes. Remove it from knownFailures',
    })),
  ]
  const { sentence, details } = headline
  const isUnexplained =
    toExitCode(result, demands) !== 0 && !annotations.some(({ level }) => level === 'error')
  const conclusion: Annotation = { level: 'error', title: sentence, message: details.join(' ') || sentence }
  const lines = [
    ...(isUnexplained ? [conclusion] : []),
    ...shorten('error', annotations),
    ...shorten('warning', annotations),
  ]
  return lines.map((line) => `${formatCommand(line)}\n`).join('')
}

function toAnnotation({ words, lead, others }: FailureGroup, level: Level): Annotation {
  const { check } = lead
  const also = others.map((other) => other.check.id).join(', ')
  const lines = [
    words ? `${check.id}: ${explainVerdict(lead)}` : explainVerdict(lead),
    ...(words?.isRemedy ? [] : [check.meaning, check.remedy]),
    ...(words ? [words.advice] : []),
    ...(also === '' ? [] : [`Failed for the same cause: ${also}`]),
    checkUrl(check.id),
  ]
  return { level, title: words?.title ?? check.id, message: lines.join('\n') }
}

/** Limits the list to the annotations that GitHub shows. If needed, the last annotation lists the rest. */
function shorten(level: Level, annotations: readonly Annotation[]): readonly Annotation[] {
  const own = annotations.filter((one) => one.level === level)
  if (own.length <= MAX_SHOWN) return own
  const rest = own.slice(MAX_SHOWN - 1).map(({ title }) => title)
  const message = `${rest.join(', ')}: see the summary of the run`
  return [...own.slice(0, MAX_SHOWN - 1), { level, title: `${rest.length} more failed`, message }]
}

function formatCommand({ level, title, message }: Annotation): string {
  return `::${level} title=${escapeCommandProperty(title)}::${escapeCommand(message)}`
}
