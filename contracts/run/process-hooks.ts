import type { Shell } from '../probes/processes.ts'
import type { Stopwatch } from '../probes/stopwatch.ts'
import type { EffectTimes } from './effect-delay.ts'
import type { CheckContext } from '../toolkit/check-context.ts'
import { isTimedOut } from '../toolkit/expectations.ts'
import { testBody } from '../toolkit/messages.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { ProbeError, type StartOptions } from '../toolkit/ports.ts'

/** The maximum time until a started receiver must answer, in real milliseconds. */
const START_MS = 20_000
const POLL_MS = 100
/** The maximum wait for a free port after a kill. The wait has a limit, because a port that a proxy holds never becomes free. */
const GONE_MS = 2_000

interface ProcessPorts extends Stopwatch {
  readonly options: Pick<RunOptions, 'process'>
  readonly shell: Pick<Shell, 'run'>
  readonly isListening: (url: string) => Promise<boolean>
}

export function createProcessHooks(
  context: () => Pick<CheckContext, 'receiver' | 'post' | 'profile' | 'note'>,
  ports: ProcessPorts,
  times: Pick<EffectTimes, 'interfered'>,
) {
  const { options, isListening, elapsed, pause } = ports
  const { process: commands } = options
  let state: 'as-usual' | 'stopped' | 'at-another-time' = 'as-usual'
  const hook = async (key: 'stop' | 'start', environment: Readonly<Record<string, string>> = {}) => {
    if (!commands)
      throw new RangeError(`Cannot ${key} the receiver: the configuration has no "process" with "${key}"`)
    times.interfered()
    await ports.shell.run(commands[key], { name: `process.${key}`, environment })
    context().note(`The receiver's process was ${key === 'stop' ? 'stopped' : 'started'}`)
  }
  const stop = async () => {
    await hook('stop')
    state = 'stopped'
    const end = elapsed() + GONE_MS
    while (elapsed() < end && (await isListening(urlOf(context())))) await pause(POLL_MS)
  }
  const start = async ({ now }: StartOptions = {}) => {
    // The new state is set before the start, so that a failed start is not repeated.
    state = now === undefined ? 'as-usual' : 'at-another-time'
    await hook('start', now === undefined ? {} : { HOOKBENCH_NOW: now })
    await untilAnswered(context(), ports)
  }
  return {
    observable: commands !== undefined,
    stop,
    start,
    /** Restarts the process with the real time, if a check has left the process stopped or with a changed clock. */
    async close() {
      try {
        if (state === 'at-another-time') await stop()
        if (state === 'stopped') await start()
      } catch (error) {
        // Ignores the error, because the next check reports that the receiver is unreachable.
        if (!(error instanceof ProbeError)) throw error
      }
    },
  }
}

async function untilAnswered(
  context: Pick<CheckContext, 'receiver' | 'post' | 'profile'>,
  { elapsed, pause }: ProcessPorts,
): Promise<void> {
  const end = elapsed() + START_MS
  while (elapsed() < end) {
    const exchange = await context.post({
      url: urlOf(context),
      body: testBody(context.profile),
      label: 'the test POST after process.start',
    })
    // Tries again after a closed connection, because the connection may still belong to the stopped process.
    if (exchange.status !== null || isTimedOut(exchange)) return
    await pause(POLL_MS)
  }
  throw new ProbeError(
    `Cannot continue: the receiver did not answer within ${START_MS} ms of process.start. Read the log of the receiver`,
  )
}

function urlOf({ receiver }: Pick<CheckContext, 'receiver'>): string {
  return receiver.url(receiver.types()[0] ?? 'items')
}
