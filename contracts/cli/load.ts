import { createRunOptions } from '../config/run-options.ts'
import { withRegisteredReceiver } from '../judge/registered-receiver.ts'
import { toLoadExitCode } from '../load/conclusion.ts'
import { loadHtml } from '../load/load-html.ts'
import { loadJson } from '../load/load-json.ts'
import type { LoadResult } from '../load/load-result.ts'
import { loadText, progressText } from '../load/load-text.ts'
import { runLoad } from '../load/run-load.ts'
import type { LoadDemands } from '../load/sender-limits.ts'
import { listSecrets } from '../run/run-secrets.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { createMask, onStopSignal, replaceFile, UsageError } from '../../sandbox/internal.ts'
import { readGivenConfig, type ConfigFlags } from './check-options.ts'
import { parseLoad, parseMaxP99, type LoadFlags } from './load-options.ts'
import { refuseUnwritable } from './outputs.ts'
import { screenFor, warnOfSecrets, withRemedy } from './run-in-terminal.ts'

export interface LoadCommandFlags extends ConfigFlags, LoadFlags {
  readonly html?: string
  readonly json?: boolean
}

/** Sends the load, prints the result and sets the exit code. Throws UsageError. */
export async function loadInTerminal(url: string | undefined, flags: LoadCommandFlags): Promise<void> {
  const demands: LoadDemands = { maxP99Ms: parseMaxP99(flags) }
  const wish = parseLoad(flags)
  if (flags.html === '-' && flags.json === true)
    throw new UsageError('Cannot print --html and --json both: give --html a file')
  if (flags.html !== undefined) refuseUnwritable({ flag: '--html', file: flags.html })
  const { config, context } = await readGivenConfig(url, flags)
  const options = createRunOptions(await withRegisteredReceiver({ ...config }, context), context)
  warnOfSecrets(options)
  const mask = createMask(listSecrets(options))
  const tell = (text: string) => void process.stderr.write(`${text}\n`)
  const stopping = new AbortController()
  let end: (() => void) | undefined
  onStopSignal((endBySignal) => {
    end = endBySignal
    stopping.abort()
    tell('Stopping after the notifications in flight. Press Ctrl-C again to stop at once.')
  })
  const result = await withRemedy(mask, () =>
    runLoad(
      options,
      {
        ...wish,
        stop: stopping.signal,
        compare: wish.compare ?? usualCompared(options),
        isSeedGiven: Reflect.get(config, 'seed') !== undefined,
        longMs: demands.maxP99Ms ?? options.warnMs,
      },
      {
        onReady(run) {
          tell(`Your receiver asks back at ${run.serviceUrl}`)
          if (run.sinkUrl !== undefined) tell(`Your platform posts its effects to ${run.sinkUrl}`)
        },
        onProgress: (progress) => tell(progressText(progress)),
        onCompare: () => tell('All were sent. Waiting for the effects on your platform'),
      },
    ),
  )
  write(result, flags, demands)
  process.exitCode = toLoadExitCode(result, demands)
  // Flushes the output.
  if (end) process.stdout.write('', end)
}

/** The default number of compared objects. Each look of a command starts a process. */
function usualCompared({ effects }: Pick<RunOptions, 'effects'>): number {
  return effects?.kind === 'command' ? 500 : 10_000
}

function write(result: LoadResult, { html, json }: LoadCommandFlags, demands: LoadDemands): void {
  if (html === '-') process.stdout.write(loadHtml(result, demands))
  else if (html !== undefined) replaceFile(html, loadHtml(result, demands))
  if (json === true) process.stdout.write(`${loadJson(result, demands)}\n`)
  else if (html !== '-') console.log(loadText(result, demands, screenFor(process.stdout)))
}
