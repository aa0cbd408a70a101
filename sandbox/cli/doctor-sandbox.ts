import type {
  Clock,
  CraftedDelivery,
  FaultList,
  Health,
  JobPage,
  JobSummary,
} from '../../spec/generated/control-types.ts'
import { formatWait } from '../../spec/readings.ts'
import { isSuccess } from '../../spec/delivery.ts'
import { isSigned } from '../../spec/signature-header.ts'
import { storageRemedy } from '../client/await-ready.ts'
import { commandLine, type CommandTarget } from '../engine/core/command-line.ts'
import { createMask, urlTokens } from '../engine/core/masking.ts'
import { VERSION } from '../engine/core/version.ts'
import { fine, problem, warning, type Finding } from './finding.ts'
import { duration } from '../engine/core/short-text.ts'

export function sandboxFinding(
  { service_url, version, status, ready, reason = 'its store fails' }: Health,
  benchUrl: string,
  target: CommandTarget,
): Finding {
  const about = 'sandbox'
  const world = target.world === undefined ? '' : `, world "${target.world}"`
  const message = `A sandbox runs: service ${service_url}, bench ${benchUrl}${world}`
  if (!ready)
    return problem(about, `${message}, but the sandbox accepts no changes: ${reason}`, storageRemedy(status))
  if (version === VERSION) return fine(about, message)
  return warning(
    about,
    `${message}, but the sandbox has version ${version}, not ${VERSION}`,
    `stop the sandbox and start it again with this version: "${commandLine('up', target)}"`,
  )
}

export function clockFinding(
  { mode, now }: Clock,
  jobs: readonly JobSummary[],
  target: CommandTarget,
): Finding {
  const about = 'clock'
  const message = `The clock is ${mode} and shows ${now}`
  const later = dueAfter(now, jobs)
  const [first] = later
  if (mode !== 'manual' || first === undefined) return fine(about, message)
  const gapMs = first - Date.parse(now)
  return warning(
    about,
    `${message}: ${plural(later.length, 'attempt waits', 'attempts wait')} until you move the clock, and the first is due in ${duration(gapMs)}`,
    `move the clock with "${commandLine(`advance ${formatWait(gapMs)}`, target)}"`,
  )
}

function dueAfter(now: string, jobs: readonly JobSummary[]): number[] {
  return jobs
    .flatMap(({ next_due_at }) => (next_due_at === null ? [] : [Date.parse(next_due_at)]))
    .filter((due) => due > Date.parse(now))
    .toSorted((a, b) => a - b)
}

export interface TestedUrl {
  readonly types: readonly string[]
  readonly delivery: CraftedDelivery
}

/** Reports the responses to test POSTs. URLs on the same server share a finding if their outcomes are equal. */
export function receiverFindings(tested: readonly TestedUrl[], target: CommandTarget): Finding[] {
  const outcomes = tested.map((each) => ({ ...each, ...testOutcome(each.delivery) }))
  const causes = Map.groupBy(outcomes, ({ delivery: { url }, message, remedy }) =>
    JSON.stringify([new URL(url).origin, message, remedy]),
  )
  return [...causes.values()].flatMap((alike) => {
    const [first] = alike
    if (first === undefined) return []
    const { delivery, message, remedy } = first
    const mask = createMask(urlTokens(delivery.url))
    const types = [...new Set(alike.flatMap((each) => each.types))].join(', ')
    const what =
      alike.length === 1
        ? `${delivery.url} ${message}`
        : `${new URL(delivery.url).origin} ${message} (${types})`
    if (remedy === undefined) return fine('receiver', mask(what))
    return problem(
      'receiver',
      mask(what),
      `${mask(remedy)} (${commandLine(`delivery ${delivery.id}`, target)})`,
    )
  })
}

function testOutcome({ request, exchanges }: CraftedDelivery): { message: string; remedy?: string } {
  const exchange = exchanges.at(-1)
  const status = exchange?.status ?? null
  const post = isSigned(request.headers) ? 'a signed test POST' : 'a test POST'
  if (status !== null && isSuccess(status)) return { message: `answers ${post} with ${status}` }
  const what = exchange?.reason ?? (status === null ? 'nothing' : `status ${status}`)
  const remedy = exchange?.remedy ?? exchange?.message ?? 'Nothing was sent'
  return { message: `does not accept ${post}: ${what}`, remedy }
}

export function jobFindings({ jobs, older }: JobPage, target: CommandTarget): Finding[] {
  const retried = jobs.filter(({ next_due_at }) => next_due_at !== null)
  const given = jobs.filter(({ next_due_at }) => next_due_at === null)
  const more = older > 0 ? 'at least ' : ''
  const findings: Finding[] = []
  const newest = given.at(-1)
  if (newest) {
    const message = `${more}${plural(given.length, 'job has', 'jobs have')} no more retries; the newest is for ${newest.object_type} ${newest.object_id}, with the result ${newest.last ?? 'no answer'}`
    const see = commandLine(`job ${newest.id}`, target)
    const repeat = commandLine(`resend ${newest.id}`, target)
    findings.push(warning('jobs', message, `see "${see}", and resend the job with "${repeat}"`))
  }
  const next = retried.at(-1)
  if (next) {
    const message = `${more}${plural(retried.length, 'job has', 'jobs have')} failed so far and will be retried; the last result of the newest is ${next.last ?? 'no answer'}`
    findings.push(warning('jobs', message, `see why with "${commandLine(`job ${next.id}`, target)}"`))
  }
  return findings.length === 0 ? [fine('jobs', 'No job has failed')] : findings
}

/** Returns a finding about active faults, because a forgotten fault looks like a bug in the receiver. */
export function faultFinding({ faults: all }: FaultList, target: CommandTarget): Finding {
  const faults = all.filter(({ times, applied }) => times === null || applied < times)
  if (faults.length === 0) return fine('faults', 'No faults')
  const kinds = faults.map(({ on, kind }) => `${on} ${kind}`).join(', ')
  return warning(
    'faults',
    `${plural(faults.length, 'fault is', 'faults are')} active: ${kinds}`,
    `see "${commandLine('faults', target)}", and remove them with "${commandLine('faults clear', target)}"`,
  )
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
