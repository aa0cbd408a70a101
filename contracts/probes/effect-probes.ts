import { rootCertificates } from 'node:tls'
import { EXAMPLE, formatValue, parseEffectState, parseJson } from './effect-state.ts'
import { openSink } from './local-server.ts'
import { openShell, type Shell } from './processes.ts'
import { untilAborted } from '../toolkit/scheduling.ts'
import { stopwatch, type Stopwatch } from './stopwatch.ts'
import type { EffectOptions } from '../toolkit/options.ts'
import { ProbeError, type EffectProbe, type EffectState } from '../toolkit/ports.ts'
import { commandLine, explainNoAnswer, fetchTrusting, maskText } from '../../sandbox/internal.ts'
import { errorMessage } from '../../spec/errors.ts'

export interface OpenEffectProbe {
  readonly probe: EffectProbe
  readonly sinkUrl?: string
  close(): Promise<void>
}

interface ProbePorts {
  /** PEM certificates of additional CAs to trust for an HTTPS effects page. */
  readonly trusted?: readonly string[]
  readonly shell?: Shell
  /** The data folder that contains the CA. Defaults to the standard data folder. */
  readonly dataFolder?: string | undefined
  readonly timeoutMs?: number
}

/** The time limit of a read. Effects pages answer long before this limit unless the machine is busy. */
const TIMEOUT_MS = 30_000

/** Opens a probe for the effects of the platform. The probe throws ProbeError if a read fails. */
export async function openEffectProbe(
  options: EffectOptions,
  ports: ProbePorts = {},
): Promise<OpenEffectProbe> {
  if (options.kind === 'sink') return openSink(options.port)
  const limit = createHangLimit(ports.timeoutMs ?? TIMEOUT_MS, stopwatch)
  const look = await createLook(options, ports)
  return {
    probe: (type, id) => limit((timeoutMs) => look([type, id], timeoutMs)),
    close: () => Promise.resolve(),
  }
}

type ReadEffects = (object: readonly [type: string, id: string], timeoutMs: number) => Promise<EffectState>

async function createLook(
  options: Exclude<EffectOptions, { readonly kind: 'sink' }>,
  { trusted = [], shell = openShell(), dataFolder }: ProbePorts,
): Promise<ReadEffects> {
  switch (options.kind) {
    case 'http':
      return createPageReader(options.url, trusted, dataFolder)
    case 'command':
      return async (words, timeoutMs) => {
        const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
        const line = [options.command, ...quoted].join(' ')
        const printed = await shell.run(line, { name: 'effects.command', timeoutMs })
        return parseAnswer(printed, `effects.command "${options.command}"`)
      }
    case 'function':
      return (object, timeoutMs) => callFunction(options.read, object, timeoutMs)
    default:
      return options satisfies never
  }
}

/** Returns a function that reads an effects page. An effects page over HTTPS needs a certificate from a trusted CA. */
async function createPageReader(
  template: string,
  trusted: readonly string[],
  dataFolder: string | undefined,
): Promise<ReadEffects> {
  const call = await fetchTrusting([...rootCertificates, ...trusted])
  return async ([type, id], timeoutMs) => {
    const url = template
      .replaceAll('{object_type}', encodeURIComponent(type))
      .replaceAll('{id}', encodeURIComponent(id))
    const where = `effects.http at ${maskText(url)}`
    let status: number
    let body: string
    try {
      const answer = await call(url, { signal: AbortSignal.timeout(timeoutMs) })
      status = answer.status
      body = await answer.text()
    } catch (cause) {
      const { reason, isUntrusted } = explainNoAnswer(cause, url)
      const remedy = isUntrusted
        ? `Give your platform a certificate of the sandbox's CA with "${commandLine(`cert ${new URL(url).hostname}`, dataFolder)}", or set receiver.ca to the CA of its certificate`
        : 'Start your platform, or correct the URL in "effects.http"'
      throw new ProbeError(`Cannot read ${where}: ${reason}. ${remedy}`, { cause })
    }
    if (status < 200 || status > 299) {
      const remedy = 'Also answer 200 for an unknown object, with {"effects": 0, "state": null}'
      throw new ProbeError(`Cannot read ${where}: your platform answered ${status}. ${remedy}`)
    }
    return parseAnswer(body, where)
  }
}

function parseAnswer(body: string, where: string): EffectState {
  const value = parseJson(body)
  if (value !== undefined) return parseEffectState(value, where)
  throw new ProbeError(
    `Cannot read effects from ${where}: ${formatValue(body)} is not JSON. Answer with JSON such as ${EXAMPLE}`,
  )
}

async function callFunction(
  read: EffectProbe,
  [type, id]: Parameters<ReadEffects>[0],
  timeoutMs: number,
): Promise<EffectState> {
  const where = 'effects.function'
  const limit = AbortSignal.timeout(timeoutMs)
  // The `async` wrapper also catches an error that `read` throws before it returns a promise.
  const answer = await untilAborted(limit, async () => read(type, id)).catch((cause: unknown) => {
    const isLate = limit.aborted && cause === limit.reason
    const what = isLate ? `did not end within ${timeoutMs} ms` : `threw "${errorMessage(cause)}"`
    throw new ProbeError(
      `Cannot read ${where}: the function ${what} for ${type} "${id}". Return a value such as ${EXAMPLE}`,
      { cause },
    )
  })
  return parseEffectState(answer, where)
}

/** The time limit after a timeout, in real milliseconds. The limit is short, because hundreds of reads could time out. */
const AFTER_A_HANG_MS = 2_000
/** The tolerance in milliseconds for timers that fire slightly too early. */
const EARLY_MS = 10

type Limit = <Result>(work: (timeoutMs: number) => Promise<Result>) => Promise<Result>

/** Creates a time limit. A timeout shortens the limit, and a task that ends in time restores the original limit. */
export function createHangLimit(timeoutMs: number, { elapsed }: Pick<Stopwatch, 'elapsed'>): Limit {
  let hasHung = false
  return async (work) => {
    const most = hasHung ? Math.min(timeoutMs, AFTER_A_HANG_MS) : timeoutMs
    const began = elapsed()
    try {
      const result = await work(most)
      hasHung = false
      return result
    } catch (error) {
      hasHung = elapsed() - began >= most - EARLY_MS
      throw error
    }
  }
}
