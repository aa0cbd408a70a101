import { countVerdicts, type CheckResult, type ReportedVerdict, type RunResult } from '../run/run-result.ts'
import { groupFailures } from './failure-groups.ts'
import { headlineOf } from './headline.ts'
import { checkHtml, type CheckPageOptions } from './html-check.ts'
import { writeToSize } from './shown-events.ts'
import { failureIndexHtml, failuresHtml, linkHtml, unjudgedHtml } from './html-failures.ts'
import { SCRIPT, STYLE } from './html-style.ts'
import { escapeHtml } from './markup.ts'
import {
  describeEffectDelay,
  fixedFailures,
  formatMs,
  formatWorld,
  LEVELS,
  VERDICTS,
  type Report,
  type ReportOptions,
} from './report.ts'
import {
  describeUnseenMusts,
  groupSeenInPart,
  groupUnobserved,
  NOT_OBSERVED,
  SEEN_IN_PART,
  type UnobservedGroup,
} from './unobserved.ts'

interface PageOptions extends ReportOptions, CheckPageOptions {}

/** One page that needs no network, and no script to be read. */
export const htmlReport: Report = (result, options) =>
  writeToSize((mostEvents) => writePage(result, { ...options, mostEvents }), options.full)

function writePage(result: RunResult, options: PageOptions): string {
  const { sentence, details, tone } = headlineOf(result, options.demands)
  const above = shownAbove(result)
  const rest = result.results.filter((one) => !above.has(one))
  const show = (title: string, sections: readonly string[]) =>
    sections.length === 0 ? [] : [`<h2>${title}</h2>`, ...sections]
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(sentence)} · Hookbench</title><style>${STYLE}</style></head><body><main>`,
    `<h1 class="${tone}">${escapeHtml(sentence)}</h1>`,
    ...details.map((text) => `<p class="detail">${escapeHtml(text)}</p>`),
    aboutHtml(result),
    tilesHtml(result),
    failureIndexHtml(result),
    result.unreached === null ? unjudgedHtml(result) : '',
    unseenHtml(result),
    filtersHtml(result),
    ...show('What to look at', failuresHtml(result, options)),
    ...show(NOT_OBSERVED, result.unreached === null ? groupUnobserved(result).map(unobservedHtml) : []),
    ...show(SEEN_IN_PART, groupSeenInPart(result).map(unobservedHtml)),
    ...show(
      above.size > 0 ? 'Every other check' : 'Every check',
      rest.map((one) => checkHtml(one, { ...options, isOpen: false })),
    ),
    `</main><script>${SCRIPT}</script></body></html>`,
    '',
  ].join('\n')
}

/** What stands with the failures, and is not told again below. */
function shownAbove(result: RunResult): ReadonlySet<CheckResult> {
  const groups = groupFailures(result)
  return new Set([
    ...groups.flatMap(({ lead, others, unjudged }) => [lead, ...others, ...unjudged]),
    ...fixedFailures(result),
  ])
}

/** What nobody looked at, and what it takes. */
function unseenHtml(result: RunResult): string {
  const unseen = result.unreached === null ? describeUnseenMusts(result) : undefined
  if (!unseen) return ''
  const items = unseen.lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')
  return `<div class="unseen"><h2>${escapeHtml(unseen.title)}</h2><ul>${items}</ul></div>`
}

function unobservedHtml({ text, results, names }: UnobservedGroup): string {
  const links = results.length > 0 ? results.map(linkHtml) : names.map(escapeHtml)
  return `<div class="group"><p>${escapeHtml(text)}</p><div>${links.join(', ')}</div></div>`
}

function aboutHtml(result: RunResult): string {
  const { receiver, seed, level, readings, startedAt, tookMs } = result
  const delay = describeEffectDelay(result)
  const chosen = Object.entries(readings).map(
    ([id, option]) => `<code>${escapeHtml(`${id}=${option}`)}</code>`,
  )
  return [
    `<p class="about"><code>${escapeHtml(receiver)}</code></p>`,
    `<p class="about">seed <code>${seed}</code> · observed up to level ${level} (${LEVELS[level]}) · ${escapeHtml(startedAt)} · ${formatMs(tookMs)}${formatWorld(result, ' · ')}</p>`,
    delay === undefined ? '' : `<p class="about">${escapeHtml(delay)}</p>`,
    chosen.length === 0 ? '' : `<p class="about">readings ${chosen.join(' ')}</p>`,
  ].join('\n')
}

const ORDER: readonly ReportedVerdict[] = [
  'failed',
  'passed',
  'partly-observed',
  'inconclusive',
  'not-observable',
  'skipped',
]

function tilesHtml(result: RunResult): string {
  const summary = countVerdicts(result)
  const tiles = ORDER.map((verdict) => {
    const zero = summary[verdict] === 0 ? ' zero' : ''
    return `<div class="tile ${verdict}${zero}"><b>${summary[verdict]}</b><span>${VERDICTS[verdict]}</span></div>`
  })
  return `<div class="tiles">${tiles.join('')}</div>`
}

/** Shown by the script that makes them work. */
function filtersHtml(result: RunResult): string {
  const summary = countVerdicts(result)
  const buttons = ORDER.filter((verdict) => summary[verdict] > 0).map(
    (verdict) =>
      `<button type="button" data-verdict="${verdict}" aria-pressed="false">${VERDICTS[verdict]}</button>`,
  )
  return `<div class="filters" hidden><button type="button" data-verdict="" aria-pressed="true">all</button>${buttons.join('')}</div>`
}
