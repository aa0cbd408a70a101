import type { CheckResult, RunResult } from '../run/run-result.ts'
import { hasOwnRemedy } from './causes.ts'
import { describeCause, describeExtent, describeUnjudged } from './cause-text.ts'
import { groupFailures, groupUnjudged, type FailureGroup } from './failure-groups.ts'
import { anchorOf, checkHtml, type CheckPageOptions } from './html-check.ts'
import { abbreviateIds, escapeHtml } from './markup.ts'
import { explainVerdict, fixedFailures } from './report.ts'

/** A list of what failed, what to mend first ahead, with a link to each. */
export function failureIndexHtml(result: RunResult): string {
  const items = [
    ...groupFailures(result).map(groupItemHtml),
    ...fixedFailures(result).map((one) => itemHtml(linkHtml(one), 'known to fail, but passes')),
  ]
  if (items.length === 0) return ''
  return [
    '<nav class="index" aria-labelledby="index"><h2 id="index">What to mend, in this order</h2><ol>',
    ...items,
    '</ol></nav>',
  ].join('\n')
}

function groupItemHtml(group: FailureGroup): string {
  const { cause, lead, others, unjudged } = group
  if (!cause) {
    const tag = `<span class="tag">${lead.check.severity}</span>`
    return itemHtml(`${linkHtml(lead)} ${tag}`, abbreviateIds(explainVerdict(lead)))
  }
  const rest = [...others, ...unjudged]
  const links = [lead, ...rest].map(linkHtml).join(', ')
  const fold = `<details class="members"><summary>${rest.length + 1} checks</summary><p>${links}</p></details>`
  return `<li><a href="#${escapeHtml(anchorOf(lead))}"><strong>${escapeHtml(describeCause(cause).title)}</strong></a><span class="why">${escapeHtml(describeExtent(group))}</span>${fold}</li>`
}

function itemHtml(head: string, why: string): string {
  return `<li>${head}<span class="why">${escapeHtml(why)}</span></li>`
}

/** To the check's place in the page. */
export function linkHtml(result: CheckResult): string {
  return `<a class="mono" href="#${escapeHtml(anchorOf(result))}">${escapeHtml(result.check.id)}</a>`
}

/** What could not be judged, and no failure explains: why, and a link to each. */
export function unjudgedHtml(result: RunResult): string {
  const groups = Map.groupBy(groupUnjudged(result), describeUnjudged)
  const items = [...groups].map(([why, members]) =>
    itemHtml(members.flatMap(({ lead, unjudged }) => [lead, ...unjudged].map(linkHtml)).join(', '), why),
  )
  if (items.length === 0) return ''
  return `<div class="unseen"><h2>Could not be judged</h2><ul>${items.join('')}</ul></div>`
}

/** Each failure, and what failed for the same cause folded behind it. */
export function failuresHtml(result: RunResult, options: CheckPageOptions): readonly string[] {
  return [
    ...groupFailures(result).flatMap((group) => groupHtml(group, options)),
    ...fixedFailures(result).map((one) => checkHtml(one, { ...options, isOpen: true })),
  ]
}

function groupHtml(group: FailureGroup, options: CheckPageOptions): readonly string[] {
  const { cause, lead, others, unjudged } = group
  const first = checkHtml(lead, { ...options, isOpen: true, isExample: hasOwnRemedy(cause) })
  if (!cause) return [first]
  const { title, advice } = describeCause(cause)
  const fold = (name: string, members: readonly CheckResult[]) =>
    members.length === 0
      ? []
      : [
          `<details class="others"><summary>${name}: ${members.length}</summary>`,
          ...members.map((one) => checkHtml(one, { ...options, isOpen: false })),
          '</details>',
        ]
  return [
    `<section class="cause"><h3>${escapeHtml(title)}</h3>`,
    `<p>${escapeHtml(describeExtent(group))}. ${escapeHtml(advice)}</p>`,
    first,
    ...fold('Failed by the same cause', others),
    ...fold('Not to be judged before it is mended', unjudged),
    '</section>',
  ]
}
