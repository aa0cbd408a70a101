import { concludeLoad } from '../load/conclusion.ts'
import { loadHtml, loadJson, loadText, progressText } from '../load/load-report.ts'
import { runLoad } from '../load/run-load.ts'
import type { Shape } from '../load/schedule.ts'
import type { ShareWish } from '../load/shares.ts'
import { parseKind } from '../toolkit/rehearsal-plan.ts'
import { onStopSignal, replaceFile, UsageError, wholeNumber } from '../../sandbox/internal.ts'
import { correctSpelling } from '../../spec/nearest.ts'
import { isNotifiedType, notifiedTypes } from '../../spec/notifications.ts'
import { parseDuration } from '../../spec/readings.ts'
import { openGivenConfig, type ConfigFlags } from './check-options.ts'
import { refuseUnwritable } from './outputs.ts'
import { screenFor, withRemedy } from './run-in-terminal.ts'

export interface LoadFlags {
  readonly rate?: string
  readonly for?: string
  readonly shape?: Shape
  readonly mix?: readonly string[]
  readonly payments?: readonly string[]
  readonly connections?: string
  readonly compare?: string
  readonly maxP99?: string
}

export interface LoadCommandFlags extends ConfigFlags, LoadFlags {
  readonly html?: string
  readonly json?: boolean
}

/** Sends the load, prints the result and sets the exit code. Throws UsageError for invalid flags. */
export async function loadInTerminal(url: string | undefined, flags: LoadCommandFlags): Promise<void> {
  const { maxP99Ms, ...wish } = parseLoad(flags)
  if (flags.html === '-' && flags.json === true)
    throw new UsageError(
      'Cannot print both --html and --json: only one can use the standard output. Give --html a file',
    )
  if (flags.html !== undefined) refuseUnwritable({ flag: '--html', file: flags.html })
  const { options, mask } = await openGivenConfig(url, flags)
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
        // If a command reads the effects, each object needs a new process. Therefore, the load compares fewer objects.
        compare: wish.compare ?? (options.effects?.kind === 'command' ? 500 : 10_000),
        longMs: maxP99Ms ?? options.warnMs,
      },
      {
        onReady(run) {
          tell(`Your receiver can call the service at ${run.serviceUrl}`)
          if (run.sinkUrl !== undefined) tell(`Your platform posts its effects to ${run.sinkUrl}`)
        },
        onProgress: (progress) => tell(progressText(progress, wish.schedule.durationMs)),
        onCompare: () => tell('All notifications were sent. Waiting for the effects on your platform'),
      },
    ),
  )
  const { html, json } = flags
  if (html === '-') process.stdout.write(loadHtml(result, { maxP99Ms }))
  else if (html !== undefined) replaceFile(html, loadHtml(result, { maxP99Ms }))
  if (json === true) process.stdout.write(`${loadJson(result, { maxP99Ms })}\n`)
  else if (html !== '-') console.log(loadText(result, { maxP99Ms }, screenFor(process.stdout)))
  process.exitCode = concludeLoad(result, { maxP99Ms }).exitCode
  // Writes with `process.stdout.write`, so that the process ends only after all output is written.
  if (end) process.stdout.write('', end)
}

const [RATE, MAX_RATE] = [100, 100_000]
const [DURATION_MS, MIN_DURATION_MS, MAX_DURATION_MS] = [10_000, 100, 86_400_000]
const [CONNECTIONS, MAX_CONNECTIONS] = [512, 65_535]
const MAX_WEIGHT = 10_000

/** Throws UsageError for an invalid flag. */
export function parseLoad({ rate, shape = 'steady', connections, compare, maxP99, ...flags }: LoadFlags) {
  return {
    maxP99Ms:
      maxP99 === undefined ? undefined : wholeNumber('--max-p99', maxP99, { least: 1, most: 3_600_000 }),
    schedule: {
      shape,
      rate: rate === undefined ? RATE : wholeNumber('--rate', rate, { least: 1, most: MAX_RATE }),
      durationMs: parseLength(flags.for),
    },
    shares: [
      ...parseWeights('--mix', flags.mix).map(toObjectShare),
      ...parseWeights('--payments', flags.payments).map(toPaymentShare),
    ],
    connections:
      connections === undefined
        ? CONNECTIONS
        : wholeNumber('--connections', connections, { least: 1, most: MAX_CONNECTIONS }),
    compare: parseCompared(compare),
  }
}

function parseLength(text: string | undefined): number {
  if (text === undefined) return DURATION_MS
  const durationMs = parseDuration(text)
  if (durationMs !== undefined && durationMs >= MIN_DURATION_MS && durationMs <= MAX_DURATION_MS)
    return durationMs
  throw new UsageError(
    `Cannot use --for "${text}": the value must be a duration from 100ms to 24h, such as 60s or 10m`,
  )
}

function parseCompared(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (text === 'all') return Number.MAX_SAFE_INTEGER
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`Cannot use --compare "${text}": the value must be a number of objects, or "all"`)
}

interface Weight {
  readonly name: string
  readonly weight: number
}

/** Parses a text such as `items=3,users` into weights: 3 for `items` and 1 for `users`. */
function parseWeights(flag: string, given: readonly string[] = []): readonly Weight[] {
  const words = given.flatMap((text) => text.split(',')).map((word) => word.trim())
  return words.map((word) => {
    const [, name, weight = '1'] = /^([a-z_:-]+)(?:=([1-9]\d*))?$/.exec(word) ?? []
    if (name !== undefined && Number(weight) <= MAX_WEIGHT) return { name, weight: Number(weight) }
    const example = flag === '--mix' ? 'items=3,transactions=1' : 'card-payin=2,npp-payin=1'
    throw new UsageError(
      `Cannot use ${flag} "${word}": the value must be a list of names with weights from 1 to ${MAX_WEIGHT}, such as ${example}`,
    )
  })
}

function toObjectShare({ name, weight }: Weight): ShareWish {
  if (isNotifiedType(name)) return { weight, of: { type: name } }
  const meant = correctSpelling(name, notifiedTypes)
  const question = meant === undefined ? '; the' : `. Did you mean "${meant}"? The`
  throw new UsageError(
    `Cannot use --mix "${name}": unknown type${question} types are ${notifiedTypes.join(', ')}`,
  )
}

/** Parses a kind of payment, or a kind with an outcome such as `direct-debit-payin:failed_direct_debit`. */
function toPaymentShare({ name, weight }: Weight): ShareWish {
  const [kind = '', outcome] = name.split(':')
  return { weight, of: { kind: parseKind(kind), ...(outcome !== undefined && { outcome }) } }
}
