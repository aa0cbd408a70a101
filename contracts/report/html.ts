import type { CheckResult, ReportedVerdict, RunResult, VerdictCounts } from '../run/run-result.ts'
import { abbreviateIds } from './columns.ts'
import { escapeHtml } from './escape.ts'
import { writeToSize } from './excerpt.ts'
import type { FailureGroup } from './failure-groups.ts'
import { anchorOf, checkHtml, type PageOptions } from './html-check.ts'
import { CHECKS_SCRIPT, pageHtml } from './html-page.ts'
import { modelRun, type ReportModel } from './model.ts'
import { explainVerdict, fixedFailures, verdictText, type Report } from './report.ts'
import type { Section, SectionItem } from './sections.ts'

/** Writes an HTML page that works offline and without scripts. */
export const htmlReport: Report = (result, options) =>
  writeToSize((mostEvents) => writePage(result, { ...options, mostEvents }), options.full)

function writePage(result: RunResult, options: PageOptions): string {
  const model = modelRun(result, options.demands)
  const { headline, counts, failures, sections } = model
  const fixed = fixedFailures(result)
  const above = new Set([
    ...failures.flatMap(({ lead, others, unjudged }) => [lead, ...others, ...unjudged]),
    ...fixed,
  ])
  const rest = result.results.filter((one) => !above.has(one))
  const open = fixed.map((one) => checkHtml(one, options, { isOpen: true }))
  const parts = [
    aboutHtml(model, result),
    tilesHtml(counts),
    indexHtml(failures, fixed),
    ...sections.filter(({ kind }) => kind === 'inconclusive').map(sectionHtml),
    unseenHtml(model),
    filtersHtml(counts),
    ...heading('Failures', [...failures.flatMap((group) => groupHtml(group, options)), ...open]),
    ...sections.filter(({ kind }) => kind === 'not-observed' || kind === 'partly-observed').map(sectionHtml),
    ...heading(
      above.size > 0 ? 'Every other check' : 'Every check',
      rest.map((one) => checkHtml(one, options)),
    ),
  ]
  return pageHtml(headline, parts, CHECKS_SCRIPT)
}

function heading(title: string, parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`<h2>${title}</h2>`, ...parts]
}

function indexHtml(failures: readonly FailureGroup[], fixed: readonly CheckResult[]): string {
  const items = [
    ...failures.map(groupItemHtml),
    ...fixed.map((one) => itemHtml(linkHtml(one), 'known to fail, but passes')),
  ]
  if (items.length === 0) return ''
  return [
    '<nav class="index" aria-labelledby="index"><h2 id="index">Fix in this order</h2><ol>',
    ...items,
    '</ol></nav>',
  ].join('\n')
}

function groupItemHtml({ words, lead, others, unjudged }: FailureGroup): string {
  if (!words) {
    const tag = `<span class="tag">${lead.check.severity}</span>`
    return itemHtml(`${linkHtml(lead)} ${tag}`, abbreviateIds(explainVerdict(lead)))
  }
  const all = [lead, ...others, ...unjudged]
  const fold = `<details class="members"><summary>${all.length} checks</summary><p>${all.map(linkHtml).join(', ')}</p></details>`
  return `<li><a href="#${escapeHtml(anchorOf(lead))}"><strong>${escapeHtml(words.title)}</strong></a><span class="why">${escapeHtml(words.extent)}</span>${fold}</li>`
}

function itemHtml(head: string, why: string): string {
  return `<li>${head}<span class="why">${escapeHtml(why)}</span></li>`
}

function linkHtml(result: CheckResult): string {
  return `<a class="mono" href="#${escapeHtml(anchorOf(result))}">${escapeHtml(result.check.id)}</a>`
}

function sectionHtml({ title, items }: Section): string {
  const itemOf = ({ text, results, names }: SectionItem) => {
    const links = results.length > 0 ? results.map(linkHtml) : names.map(escapeHtml)
    return `<div class="group"><p>${escapeHtml(text)}</p><div>${links.join(', ')}</div></div>`
  }
  return [`<h2>${escapeHtml(title)}</h2>`, ...items.map(itemOf)].join('\n')
}

function unseenHtml({ unseen }: ReportModel): string {
  if (!unseen) return ''
  const items = unseen.lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')
  return `<div class="unseen"><h2>${escapeHtml(unseen.title)}</h2><ul>${items}</ul></div>`
}

function groupHtml({ words, lead, others, unjudged }: FailureGroup, options: PageOptions): readonly string[] {
  const first = checkHtml(lead, options, { isOpen: true, isExample: words?.isRemedy === true })
  if (!words) return [first]
  const fold = (name: string, members: readonly CheckResult[]) =>
    members.length === 0
      ? []
      : [
          `<details class="others"><summary>${name}: ${members.length}</summary>`,
          ...members.map((one) => checkHtml(one, options)),
          '</details>',
        ]
  return [
    `<section class="cause"><h3>${escapeHtml(words.title)}</h3>`,
    `<p>${escapeHtml(words.extent)}. ${escapeHtml(words.advice)}</p>`,
    first,
    ...fold('Failed for the same cause', others),
    ...fold('No verdict until this is fixed', unjudged),
    '</section>',
  ]
}

function aboutHtml({ circumstances }: ReportModel, { receiver, startedAt, readings }: RunResult): string {
  const chosen = Object.entries(readings).map(
    ([id, option]) => `<code>${escapeHtml(`${id}=${option}`)}</code>`,
  )
  return [
    `<p class="about"><code>${escapeHtml(receiver)}</code></p>`,
    `<p class="about">${escapeHtml([...circumstances, startedAt].join(' · '))}</p>`,
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

function tilesHtml(summary: VerdictCounts): string {
  const tiles = ORDER.map((verdict) => {
    const zero = summary[verdict] === 0 ? ' zero' : ''
    return `<div class="tile ${verdict}${zero}"><b>${summary[verdict]}</b><span>${verdictText(verdict)}</span></div>`
  })
  return `<div class="tiles">${tiles.join('')}</div>`
}

/** Returns the verdict filters, which are hidden until the script of the page runs. */
function filtersHtml(summary: VerdictCounts): string {
  const buttons = ORDER.filter((verdict) => summary[verdict] > 0).map(
    (verdict) =>
      `<button type="button" data-verdict="${verdict}" aria-pressed="false">${verdictText(verdict)}</button>`,
  )
  return `<div class="filters" hidden><button type="button" data-verdict="" aria-pressed="true">all</button>${buttons.join('')}</div>`
}
