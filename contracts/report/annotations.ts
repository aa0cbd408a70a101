import { toPrintable } from '../../sandbox/internal.ts'
import { describeCause } from './cause-text.ts'
import { hasOwnRemedy } from './causes.ts'
import { groupFailures, type FailureGroup } from './failure-groups.ts'
import { headlineOf } from './headline.ts'
import { checkUrl, explainVerdict, fixedFailures, type Report } from './report.ts'
import { toExitCode } from '../run/exit-code.ts'

type Level = 'error' | 'warning'

interface Annotation {
  readonly level: Level
  readonly title: string
  readonly message: string
}

/** More than this of a level is not shown for one step. */
const MOST_SHOWN = 10

/** What failed, by its causes, as commands of a GitHub workflow, each a line of its log; they name no file, since none is at fault. */
export const annotationsReport: Report = (result, { demands }) => {
  const isCounted = ({ lead: { check } }: FailureGroup) =>
    demands.failOn === 'should' || check.severity === 'must'
  const annotations = [
    ...groupFailures(result).map((group) => toAnnotation(group, isCounted(group) ? 'error' : 'warning')),
    ...fixedFailures(result).map(({ check: { id } }) => ({
      level: 'error' as const,
      title: id,
      message: 'It is known to fail, but passes: take it out of knownFailures',
    })),
  ]
  const { sentence, details } = headlineOf(result, demands)
  const isUnexplained =
    toExitCode(result, demands) !== 0 && !annotations.some(({ level }) => level === 'error')
  const headline: Annotation = { level: 'error', title: sentence, message: details.join(' ') || sentence }
  const lines = [
    ...(isUnexplained ? [headline] : []),
    ...shorten('error', annotations),
    ...shorten('warning', annotations),
  ]
  return lines.map((line) => `${formatCommand(line)}\n`).join('')
}

/** One for all that fails for one cause. */
function toAnnotation({ cause, lead, others }: FailureGroup, level: Level): Annotation {
  const { check } = lead
  const also = others.map((other) => other.check.id).join(', ')
  const common = cause && describeCause(cause)
  const lines = [
    common ? `${check.id}: ${explainVerdict(lead)}` : explainVerdict(lead),
    ...(hasOwnRemedy(cause) ? [] : [check.meaning, check.remedy]),
    ...(common ? [common.advice] : []),
    ...(also === '' ? [] : [`For the same cause: ${also}`]),
    checkUrl(check.id),
  ]
  return { level, title: common?.title ?? check.id, message: lines.join('\n') }
}

/** Those of a level, the last of them for all that would not be shown. */
function shorten(level: Level, annotations: readonly Annotation[]): readonly Annotation[] {
  const own = annotations.filter((one) => one.level === level)
  if (own.length <= MOST_SHOWN) return own
  const rest = own.slice(MOST_SHOWN - 1).map(({ title }) => title)
  const message = `${rest.join(', ')}: see the summary of the run`
  return [...own.slice(0, MOST_SHOWN - 1), { level, title: `${rest.length} more failed`, message }]
}

/** Nothing in it can begin a line, or a command, of its own. */
function formatCommand({ level, title, message }: Annotation): string {
  const property = escapeData(toPrintable(title)).replaceAll(':', '%3A').replaceAll(',', '%2C')
  const lines = message.split(/\r\n|[\n\r\u2028\u2029]/).map(toPrintable)
  return `::${level} title=${property}::${escapeData(lines.join('\n'))}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
