import { formatMoney } from '../../../spec/money.ts'
import type { CraftedDelivery } from '../../../spec/generated/control-types.ts'
import type { Group, DrawnJob, TimelineData } from '../data/timeline-data.ts'
import { paymentName } from '../parts/names.ts'

export type Line =
  | { readonly kind: 'payment'; readonly key: string; readonly group: Group }
  | { readonly kind: 'job'; readonly key: string; readonly isInner: boolean }
  | { readonly kind: 'crafted'; readonly key: string; readonly delivery: CraftedDelivery }

export type IsWanted = (job: DrawnJob) => boolean

/** Lists the lines of the groups from `start` (inclusive) to `end` (exclusive), newest first. */
export function listLines(
  data: TimelineData,
  { start, end }: { readonly start: number; readonly end: number },
  isWanted: IsWanted | undefined,
): Line[] {
  const lines: Line[] = []
  for (let index = start; index < end; index++) {
    const group = data.groups.at(index)
    if (!group) break
    const isInner = group.paymentId !== null
    const jobs = group.jobIds.filter((id) => {
      const job = isWanted && data.job(id)
      return !job || isWanted(job)
    })
    if (jobs.length === 0) continue
    if (isInner) lines.push({ kind: 'payment', key: group.key, group })
    for (const key of jobs.toReversed()) lines.push({ kind: 'job', key, isInner })
  }
  return lines
}

/** Merges manual deliveries into the lines by time. Both lists are sorted newest first. */
export function withCrafted(
  lines: readonly Line[],
  deliveries: readonly CraftedDelivery[],
  data: TimelineData,
): readonly Line[] {
  if (deliveries.length === 0) return lines
  const merged: Line[] = []
  let next = 0
  const takeSince = (at: number) => {
    for (let each = deliveries[next]; each && Date.parse(each.at) >= at; each = deliveries[++next])
      merged.push({ kind: 'crafted', key: each.id, delivery: each })
  }
  for (const line of lines) {
    const first = line.kind === 'payment' ? line.group.jobIds[0] : line.key
    if (line.kind !== 'job' || !line.isInner) takeSince(data.job(first ?? '')?.createdAt ?? 0)
    merged.push(line)
  }
  takeSince(-Infinity)
  return merged
}

/** `failed` includes deliveries that succeeded after a failure. `open` includes only deliveries with a pending attempt. */
export type Result = 'all' | 'failed' | 'open'

export interface Wish {
  readonly text: string
  readonly result: Result
  /** The ids of jobs whose bodies or headers contain the text. */
  readonly found: ReadonlySet<string>
}

export const isAccepted = (status: number | null) => status !== null && status >= 200 && status < 300

export function isWantedByHand(delivery: CraftedDelivery, { text, result }: Wish): boolean {
  const { id, url, request, exchanges } = delivery
  if (result === 'open') return false
  if (result === 'failed' && exchanges.every(({ status }) => isAccepted(status))) return false
  const texts = [id, url, request.body, ...exchanges.map(({ status, reason }) => status ?? reason)]
  return texts.join('\n').toLowerCase().includes(text.trim().toLowerCase())
}

/** A job matches if its fields contain all words, or if its body contains the text. Undefined if no filter is set. */
export function createFilter({ text, result, found }: Wish, data: TimelineData): IsWanted | undefined {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && result === 'all') return undefined
  return (job) => {
    const { status, attempts } = job.summary
    if (result === 'failed' && attempts < (status === 'success' ? 2 : 1)) return false
    if (result === 'open' && status !== 'pending' && job.nextDueAt === null) return false
    if (found.has(job.summary.id)) return true
    const fields = textsOf(job, data)
    return words.every((word) => fields.includes(word))
  }
}

function textsOf({ summary }: DrawnJob, data: TimelineData): string {
  const { id, object_type, object_id, state, status, last, payment_id, generation } = summary
  const payment = data.payment(payment_id)
  const money = payment && formatMoney(payment.amount, payment.currency)
  const paid = payment && [payment.kind, paymentName(payment.kind), payment.outcome, money]
  const calls = data.groups.groupOf(object_type, object_id)?.calls.map((call) => call.status) ?? []
  return [object_id, state, object_type, status, last, payment_id, id, generation, ...calls, ...(paid ?? [])]
    .join('\n')
    .toLowerCase()
}
