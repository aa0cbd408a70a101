import { Command } from 'commander'
import type { Event } from '../../spec/generated/control-types.ts'
import { toPrintable, toPrintableJson } from '../engine/core/short-text.ts'
import { realTime } from '../adapters/real-time.ts'
import type { ControlAddress } from '../client/control-address.ts'
import { followStream, type FollowOptions, type FollowPorts } from '../client/event-stream.ts'
import { createStreamCall } from '../client/http-call.ts'
import { UnreachableError } from '../client/unreachable.ts'
import { findAddress, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'
import { eventTypes } from '../api/control/event-text.ts'
import { printWarning } from './failure.ts'
import { refuseUnknown, whole } from './option-values.ts'
import { untilStopped } from './stop-signals.ts'
import { withManual } from './manual.ts'
import { style } from './terminal.ts'

interface EventsFlags extends SandboxFlags {
  readonly since?: string
  readonly type?: readonly string[]
  readonly count?: number
}

export function eventsCommand(): Command {
  const command = withManual(new Command('events'), {
    about: [
      'After a lost connection, the command reconnects and continues without loss or duplicates. If the sandbox no longer has some events, for example after a restart, the command prints "gap" once.',
      `Types: ${eventTypes.join(', ')}.`,
    ],
    examples: [
      ['events', 'follow the events from now on'],
      ['events --since 0 --type job,attempt', 'print all known jobs and attempts, and follow new ones'],
      ['events --type attempt --count 1 --json', 'wait for the next attempt'],
    ],
    seeAlso: ['timeline', 'jobs', 'settle'],
  })
    .description('follow events, one line each, until Ctrl-C')
    .option('--since <id>', 'continue after this event, or 0 for all known events (default: only new events)')
    .option('--type <types>', 'only events of these types, separated by commas', parseEventTypes)
    .option('--count <count>', 'stop after this number of events', whole('--count', { least: 1 }))
  return withSandboxOptions(command).action(follow)
}

async function follow({ since, type, count, json, ...flags }: EventsFlags): Promise<void> {
  const stop = new AbortController()
  void untilStopped().then(() => stop.abort())
  // Ends the command when the reader of its output exits, for example `head`.
  process.stdout.on('error', () => stop.abort())
  const events = followEvents(() => findAddress(flags), {
    since,
    signal: stop.signal,
    longestPauseMs: 250,
    onOutage: ({ message }) => printWarning(`waiting for the sandbox: ${message}`),
  })
  let left = count ?? Infinity
  for await (const event of events) {
    const wanted = type === undefined || type.includes(event.type)
    if (wanted) console.log(json === true ? toPrintableJson(event) : eventLine(event))
    else if (event.type === 'gap')
      console.error(json === true ? toPrintableJson(event) : eventLine(event, process.stderr))
    if (wanted && --left === 0) return
  }
}

interface EventsOptions extends FollowOptions {
  /** Called once for each outage of the connection, after the first failed attempt to reconnect. */
  readonly onOutage: (error: UnreachableError) => void
}

/** Follows events and reconnects. Throws UnreachableError only if the first connection fails. Can always throw RefusedError. */
export async function* followEvents(
  find: () => ControlAddress,
  { onOutage, ...options }: EventsOptions,
  ports: FollowPorts = { callTo: createStreamCall, after: realTime.after },
): AsyncGenerator<Event> {
  let [connected, reported] = [false, false]
  for await (const step of followStream(find, options, ports)) {
    if (step.kind === 'block') {
      ;[connected, reported] = [true, false]
      if (step.event) yield step.event
    } else if (step.error instanceof UnreachableError && connected) {
      if (!reported) onOutage(step.error)
      reported = true
    } else if (step.error !== undefined) throw step.error
  }
}

/** For an unknown type, throws a UsageError that suggests the most similar type. */
export function parseEventTypes(text: string): readonly Event['type'][] {
  return text.split(',').map((type) => {
    if (isEventType(type)) return type
    return refuseUnknown(`follow events of type "${type}"`, type, { noun: 'type', names: eventTypes })
  })
}

function isEventType(type: string): type is Event['type'] {
  return eventTypes.includes(type)
}

const WIDEST = Math.max(...eventTypes.map((type) => type.length))

export function eventLine(event: Event, stream: NodeJS.WriteStream = process.stdout): string {
  const { id, type, at, text, data } = event
  const line = `${at}  ${type.padEnd(WIDEST)}  ${text}`.trimEnd()
  return `${style(chooseStyle(type, data), toPrintable(line), stream)}${style('dim', toPrintable(`  #${id}`), stream)}`
}

function chooseStyle(type: Event['type'], { reason }: Event['data']): 'red' | 'yellow' | 'reset' {
  if (type === 'gap') return 'yellow'
  return type === 'attempt' && typeof reason === 'string' ? 'red' : 'reset'
}
