import { catalogue } from '../catalogue.ts'
import type { CheckConfig, ReceiverConfig } from '../config/config.ts'
import { runOptionsOf } from '../config/run-options.ts'
import { openRun, type Run } from '../run/open-run.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { select } from '../run/select.ts'
import { configContext } from '../config/config-context.ts'
import { judged } from './judged.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'

/** What `describeReceiver` is told: the receiver's keys, and those of a configuration beside it. */
export interface ReceiverDescription extends ReceiverConfig, Omit<CheckConfig, 'receiver'> {
  /** Ids or topics; all if left out. */
  readonly checks?: readonly string[]
  /** The least severe failure that fails its test; `should` if left out. */
  readonly failOn?: 'must' | 'should'
}

/** The checks of one describing file, which share a run. */
export interface Described {
  readonly checks: readonly ReceiverCheck[]
  readonly title: string
  /** Opens the run that the tests share. Throws what keeps it from beginning, with the remedy. */
  open(): Promise<void>
  close(): Promise<void>
  /** Why the test is to be skipped; undefined if the check is met. Throws ReceiverError if it is not. */
  put(check: ReceiverCheck): Promise<string | undefined>
}

/** How long one check may take before the test runner gives up; real milliseconds. */
export const TEST_LIMIT_MS = 120_000

/** `again` is the command that runs one test again. Throws UsageError for a wrong description. */
export function described(description: ReceiverDescription, again: (id: string) => string): Described {
  const { checks: names = [], failOn = 'should', ...rest } = description
  const options = optionsOf(rest)
  let run: Run | undefined
  return {
    checks: select(catalogue, names),
    title: 'the receiver',
    async open() {
      run = await openRun(options)
    },
    async close() {
      await run?.close()
    },
    async put(check) {
      if (!run) throw new Error('Cannot put a check: the run is not open')
      const repeat = (id: string) => `${again(id)}    with seed: ${options.seed}`
      return judged(await run.check(check), { failOn, repeat })
    },
  }
}

function optionsOf(description: Omit<ReceiverDescription, 'checks' | 'failOn'>): RunOptions {
  const { url, ca, headers, callsBack, sourceAddresses, ...config } = description
  const given = Object.entries({ url, ca, headers, callsBack, sourceAddresses })
  const receiver = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  const context = configContext({ name: 'what describeReceiver() is told', folder: '.', bareUrl: true })
  return runOptionsOf({ ...config, receiver }, context)
}
