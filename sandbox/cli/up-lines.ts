import type { NamedWorld, ServeOptions } from '../compose/serve-options.ts'
import { duration, shortId, toPrintable, toPrintableJson } from '../engine/core/short-text.ts'
import type { UnsubscribedTrigger } from '../engine/notifications/unsubscribed-triggers.ts'
import type { AttemptHead } from '../engine/state/entries.ts'
import type { JobRecord } from '../engine/state/job.ts'
import { isTemporary, StorageError } from '../engine/state/storage-error.ts'
import { DEFAULT_WORLD } from '../engine/state/world-record.ts'
import { formatBug, printWarning, styleError } from './failure.ts'
import { style } from './terminal.ts'
import { commandLine, type CommandTarget } from '../engine/core/command-line.ts'
import type { Clock } from '../engine/core/ports.ts'
import { describeFlags } from '../engine/delivery/exchange-flags.ts'

/** A line that `up --json` and `demo --json` print. Lines about the default world have no `world` field. */
type SandboxEvent =
  | {
      /** `ready` means that this process serves the sandbox. `standby` means that another process does. */
      readonly event: 'ready' | 'standby'
      readonly service_url: string
      readonly bench_url: string
      readonly data: string
      readonly allowed_hosts?: readonly string[] | undefined
    }
  | AttemptEvent
  | (UnsubscribedTrigger & { readonly event: 'unsubscribed'; readonly world?: string })
  | { readonly event: 'stopped' }

interface AttemptEvent extends Pick<JobRecord, 'object_type' | 'object_id' | 'state'> {
  readonly event: 'attempt'
  readonly world?: string
  readonly job: string
  /** The number of the attempt, counted from 1. */
  readonly number: number
  /** Null if there was no response. */
  readonly status: number | null
  /** Null after success. */
  readonly reason: string | null
  readonly message: string
  readonly manual: boolean
  readonly faults: readonly string[]
  readonly took_ms: number | null
  /** Null if there is no next attempt. */
  readonly next_due_at: string | null
}

interface LineOptions {
  readonly json: boolean
  readonly data: string
}

export function printWorldEvents({
  json,
  data,
}: LineOptions): Required<Pick<ServeOptions, 'onAttempt' | 'onUnsubscribed'>> {
  return {
    onAttempt: (job, attempt, world) =>
      json
        ? printJson(attemptEvent(job, attempt, world))
        : console.log(withWorld(attemptLine(job, attempt, world.clock), world)),
    onUnsubscribed(unsubscribed, world) {
      if (json) printJson({ event: 'unsubscribed', ...unsubscribed, ...worldField(world) })
      else console.log(withWorld(unsubscribedLine(unsubscribed, { data, ...worldField(world) }), world))
    },
  }
}

export function printError(where: string, error: unknown): void {
  if (error instanceof StorageError) printWarning(error.message)
  else console.error(styleError(`hookbench: ${toPrintable(where)} failed:`), formatBug(error))
}

/** Reports a storage problem and its end for one world, because all share the store. Returns true if the sandbox must stop. */
export function reportStorage(problem: StorageError | undefined, { name }: NamedWorld): boolean {
  const isFinal = problem !== undefined && !isTemporary(problem)
  if (isFinal) return name === DEFAULT_WORLD
  if (name !== DEFAULT_WORLD) return false
  printWarning(
    problem
      ? `${problem.message}. The sandbox rejects changes, and sends nothing until the disk has space`
      : 'The store is writable again. The sandbox accepts changes, and sends due notifications',
  )
  return false
}

function withWorld(line: string, { name }: NamedWorld): string {
  return name === DEFAULT_WORLD ? line : `${style('dim', `[${name}]`)} ${line}`
}

function worldField({ name }: NamedWorld): { readonly world?: string } {
  return name === DEFAULT_WORLD ? {} : { world: name }
}

function attemptEvent(job: JobRecord, { timings, ...attempt }: AttemptHead, world: NamedWorld): AttemptEvent {
  return {
    event: 'attempt',
    ...worldField(world),
    job: job.id,
    object_type: job.object_type,
    object_id: job.object_id,
    state: job.state,
    number: attempt.number,
    status: attempt.status,
    reason: attempt.reason,
    message: attempt.message,
    manual: attempt.manual ?? false,
    faults: (attempt.faults ?? []).map(({ kind }) => kind),
    took_ms: timings.totalMs,
    next_due_at: attempt.next_due_at === null ? null : new Date(attempt.next_due_at).toISOString(),
  }
}

export function printJson(event: SandboxEvent): void {
  console.log(toPrintableJson(event))
}

export function attemptLine(job: JobRecord, attempt: AttemptHead, clock: Pick<Clock, 'now' | 'speed'>) {
  const what = `→ ${job.object_type} ${toPrintable(shortId(job.object_id))}${job.state === null ? '' : ` ${job.state}`}`
  const { totalMs } = attempt.timings
  const took = totalMs === null ? '' : ` in ${duration(totalMs)}`
  const answer = `${attempt.status ?? attempt.reason}${took}${oddityText(attempt)}`
  const mark = style(attempt.reason === null ? 'green' : 'red', answer)
  const by = job.generation === 'callbacks' ? ' by callback' : ''
  const lines = [`${what}${by} attempt ${attempt.number}  ← ${mark}${nextAttemptText(job, attempt, clock)}`]
  if (attempt.status === null) lines.push(style('dim', `  ${toPrintable(attempt.message)}`))
  return lines.join('\n')
}

/** Source: §7 */
function unsubscribedLine({ object_type, generation }: UnsubscribedTrigger, target: CommandTarget): string {
  const [kind, option] = generation === 'webhooks' ? ['webhook', ''] : ['callback', ' --generation callbacks']
  const remedy = commandLine(`register URL --type ${object_type}${option}`, target)
  return style('dim', `  ${object_type} changed, but no ${kind} is registered for ${object_type}: ${remedy}`)
}

function oddityText({ flags, manual, faults = [] }: AttemptHead): string {
  const odd = [
    ...flags.map((flag) => describeFlags([flag])),
    ...faults.map(({ kind }) => `fault ${kind}`),
    ...(manual ? ['by hand'] : []),
  ]
  return odd.length === 0 ? '' : ` (${odd.join(', ')})`
}

function nextAttemptText(job: JobRecord, attempt: AttemptHead, { now, speed }: Pick<Clock, 'now' | 'speed'>) {
  if (attempt.reason === null) return ''
  if (job.next_due_at === null) return style('red', ', no more retries')
  const gapMs = Math.max(0, job.next_due_at - now())
  if (speed === 0) return `, next in ${duration(gapMs)} of the manual clock`
  return speed === 1
    ? `, next in ${duration(gapMs)}`
    : `, next in ${duration(gapMs)} (${duration(gapMs / speed)})`
}
