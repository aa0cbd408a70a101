import type {
  Clock,
  CraftedDelivery,
  FaultList,
  Health,
  JobPage,
  JobSummary,
} from '../../spec/generated/control-types.ts'
import { formatDuration } from '../../spec/readings.ts'
import { isSuccess } from '../../spec/delivery.ts'
import { isSigned } from '../../spec/signature-header.ts'
import { storageRemedy } from '../client/storage-remedy.ts'
import { commandLine, type CommandTarget } from '../engine/core/command-line.ts'
import { VERSION } from '../engine/core/version.ts'
import { fine, problem, warning, type Finding } from './finding.ts'
import { duration } from '../engine/core/short-text.ts'

/** Which sandbox runs, and whether it is of our version. */
export function sandboxFinding(
  { service_url, version, status, ready, reason = 'its store fails', node }: Health,
  benchUrl: string,
  target: CommandTarget,
): Finding {
  const about = 'sandbox'
  const world = target.world === undefined ? '' : `, world "${target.world}"`
  const where = node === undefined ? '' : `; node "${node}" has this world`
  const message = `A sandbox runs: service ${service_url}, bench ${benchUrl}${world}${where}`
  if (!ready) return problem(about, `${message}, but it takes no changes: ${reason}`, storageRemedy(status))
  if (version === VERSION) return fine(about, message)
  return warning(
    about,
    `${message}, but of version ${version}, not ${VERSION}`,
    `end it and start it again with this version: "${commandLine('up', target)}"`,
  )
}

/** Whether anything waits for a clock that only moves by hand. */
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
    `${message}: ${plural(later.length, 'attempt waits', 'attempts wait')} until it is moved, the first for ${duration(gapMs)}`,
    `move it with "${commandLine(`advance ${formatDuration(gapMs)}`, target)}"`,
  )
}

function dueAfter(now: string, jobs: readonly JobSummary[]): number[] {
  return jobs
    .flatMap(({ next_due_at }) => (next_due_at === null ? [] : [Date.parse(next_due_at)]))
    .filter((due) => due > Date.parse(now))
    .toSorted((a, b) => a - b)
}

/** Whether a receiver answered a test POST with success just now. */
export function receiverFinding(
  { id, url, request, exchanges }: CraftedDelivery,
  target: CommandTarget,
): Finding {
  const about = 'receiver'
  const exchange = exchanges.at(-1)
  const status = exchange?.status ?? null
  const post = isSigned(request.headers) ? 'a signed test POST' : 'a test POST'
  if (status !== null && isSuccess(status)) return fine(about, `${url} answers ${post} with ${status}`)
  const what = exchange?.reason ?? (status === null ? 'nothing' : `status ${status}`)
  const message = `${url} does not answer ${post} with success: ${what}`
  const remedy = exchange?.remedy ?? exchange?.message ?? 'Nothing was sent'
  return problem(about, message, `${remedy} (${commandLine(`delivery ${id}`, target)})`)
}

/** What has failed of the newest jobs: some were given up, the others will be retried. */
export function jobFindings({ jobs, older }: JobPage, target: CommandTarget): Finding[] {
  const retried = jobs.filter(({ next_due_at }) => next_due_at !== null)
  const given = jobs.filter(({ next_due_at }) => next_due_at === null)
  const more = older > 0 ? 'at least ' : ''
  const findings: Finding[] = []
  const newest = given.at(-1)
  if (newest) {
    const message = `${more}${plural(given.length, 'job was', 'jobs were')} given up, the newest of ${newest.object_type} ${newest.object_id} after ${newest.last ?? 'no answer'}`
    const see = commandLine(`job ${newest.id}`, target)
    const repeat = commandLine(`resend ${newest.id}`, target)
    findings.push(warning('jobs', message, `see "${see}", and repeat it with "${repeat}"`))
  }
  const next = retried.at(-1)
  if (next) {
    const message = `${more}${plural(retried.length, 'job has', 'jobs have')} failed so far and will be retried, the newest after ${next.last ?? 'no answer'}`
    findings.push(warning('jobs', message, `see why with "${commandLine(`job ${next.id}`, target)}"`))
  }
  return findings.length === 0 ? [fine('jobs', 'No job has failed')] : findings
}

/** Faults that are still there: a forgotten one looks like a bug of the receiver. */
export function faultFinding({ faults: all }: FaultList, target: CommandTarget): Finding {
  const faults = all.filter(({ times, applied }) => times === null || applied < times)
  if (faults.length === 0) return fine('faults', 'No faults: nothing goes wrong on purpose')
  const kinds = faults.map(({ on, kind }) => `${on} ${kind}`).join(', ')
  return warning(
    'faults',
    `${plural(faults.length, 'fault is', 'faults are')} active: ${kinds}`,
    `see "${commandLine('faults', target)}"; remove them with "${commandLine('faults clear', target)}"`,
  )
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
