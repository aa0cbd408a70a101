import { isSuccess } from '../../spec/delivery.ts'
import { abbreviateIds } from './columns.ts'
import { escapeHtml } from './escape.ts'
import { describeEntry, toTimeline, type TimelineEntry } from './events.ts'
import type { Excerpt } from './excerpt.ts'
import { formatMs } from './report.ts'

/** Returns the timeline of a check as a list. The style sheet draws the arrows between the lanes. */
export function timelineHtml({ events, isPart, hasEarlier }: Excerpt, name: string): string {
  const more = hasEarlier ? '… earlier deliveries, below' : '… and more, below'
  return [
    `<ol class="timeline" aria-label="${escapeHtml(`Timeline of ${name}`)}">`,
    '<li class="lanes" aria-hidden="true"><b>service</b><b>receiver</b><b>effects</b></li>',
    ...toTimeline(events).map((entry) => `<li><time>${formatMs(entry.atMs)}</time>${lanesHtml(entry)}</li>`),
    ...(isPart ? [`<li><p class="world">${more}</p></li>`] : []),
    '</ol>',
  ].join('\n')
}

function lanesHtml(entry: TimelineEntry): string {
  const { event, part } = entry
  const { text, outcome } = describeEntry(entry)
  switch (event.kind) {
    case 'sent': {
      const { status } = event.exchange
      const look = status === null ? 'bad cut' : isSuccess(status) ? 'good' : 'bad'
      const answer = laneHtml(`back ${look}`, part === 'answer' ? `${text}: ${outcome}` : outcome)
      if (part === 'answer') return answer
      return laneHtml('out', text, 'The service sends') + (part === 'whole' ? answer : '')
    }
    case 'called': {
      const { status } = event.request
      const look = status !== null && status < 400 ? 'good' : 'bad'
      return laneHtml('call', text, 'The receiver calls') + laneHtml(`reply ${look}`, outcome)
    }
    case 'effects': {
      const [target = '', effects = ''] = text.split(': ')
      return laneHtml(`effect effect-${Math.min(2, Math.max(0, event.seen.effects))}`, effects, target)
    }
    case 'world':
      return laneHtml('world', text)
    default:
      return event satisfies never
  }
}

/** `spoken` names the actor or the object for screen readers. The page shows the actor or the object only by position. */
function laneHtml(look: string, text: string, spoken = ''): string {
  const prefix = spoken === '' ? '' : `<span class="spoken">${escapeHtml(spoken)} </span>`
  return `<p class="${look}" title="${escapeHtml(text)}">${prefix}${escapeHtml(abbreviateIds(text))}</p>`
}
