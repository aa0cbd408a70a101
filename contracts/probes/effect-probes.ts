import { setTimeout as pause } from 'node:timers/promises'
import { rootCertificates } from 'node:tls'
import { EXAMPLE, formatValue, parseEffectState, parseJson } from './effect-state.ts'
import { openSink } from './local-server.ts'
import { openShell, type Shell } from './processes.ts'
import { stopwatch, type Stopwatch } from './stopwatch.ts'
import type { EffectOptions } from '../toolkit/options.ts'
import { ProbeError, type EffectProbe, type EffectState } from '../toolkit/ports.ts'
import { commandLine, explainNoAnswer, fetchTrusting, maskText } from '../../sandbox/internal.ts'
import { errorMessage } from '../../spec/errors.ts'

export interface OpenEffectProbe {
  readonly probe: EffectProbe
  /** The address for posted effects. */
  readonly sinkUrl?: string
  close(): Promise<void>
}

const closeNothing = () => Promise.resolve()

interface ProbePorts {
  /** PEMs of CAs for a page over HTTPS, besides the public ones. */
  readonly trusted?: readonly string[]
  readonly shell?: Shell
  /** The data folder with the CA. Defaults to the usual folder. */
  readonly dataFolder?: string | undefined
  /** The time limit of a look in real milliseconds. */
  readonly timeoutMs?: number
}

/** The probe throws ProbeError. */
export async function openEffectProbe(
  options: EffectOptions,
  { trusted = [], shell = openShell(), dataFolder, timeoutMs = TIMEOUT_MS }: ProbePorts = {},
): Promise<OpenEffectProbe> {
  const limit = createHangLimit(timeoutMs, stopwatch)
  switch (options.kind) {
    case 'http':
      return openPage(options.url, { trusted, dataFolder, limit })
    case 'command':
      return {
        probe: (type, id) =>
          limit((most) => runCommand(options.command, [type, id], { shell, timeoutMs: most })),
        close: closeNothing,
      }
    case 'function':
      return {
        probe: (type, id) => limit((most) => callFunction(options, [type, id], most)),
        close: closeNothing,
      }
    case 'sink':
      return openSink(options.port)
    default:
      return options satisfies never
  }
}

/** Far more than a page needs, because a machine may be busy. */
const TIMEOUT_MS = 30_000

interface PagePorts {
  readonly trusted: readonly string[]
  readonly dataFolder: string | undefined
  readonly limit: Limit
}

async function openPage(
  template: string,
  { trusted, dataFolder, limit }: PagePorts,
): Promise<OpenEffectProbe> {
  const call = template.startsWith('https:') ? await fetchTrusting([...rootCertificates, ...trusted]) : fetch
  return {
    probe: (type, id) => {
      const url = template
        .replaceAll('{object_type}', encodeURIComponent(type))
        .replaceAll('{id}', encodeURIComponent(id))
      return limit((timeoutMs) => readPage(url, { call, dataFolder, timeoutMs }))
    },
    close: closeNothing,
  }
}

interface PageCall extends Pick<PagePorts, 'dataFolder'> {
  readonly call: typeof fetch
  readonly timeoutMs: number
}

async function readPage(url: string, { call, dataFolder, timeoutMs }: PageCall): Promise<EffectState> {
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
      ? `Let it show a certificate of the sandbox's CA ("${commandLine(`cert ${new URL(url).hostname}`, dataFolder)}" issues one), or name its CA as receiver.ca`
      : 'Start your platform, or correct the URL'
    throw new ProbeError(`Cannot read ${where}: ${reason}. ${remedy}`, { cause })
  }
  if (status < 200 || status > 299) {
    const remedy = 'Answer 200, also for an unknown object, with {"effects": 0, "state": null}'
    throw new ProbeError(`Cannot read ${where}: it answered ${status}. ${remedy}`)
  }
  return parseEffectState(requireJson(body, where), where)
}

/** The type and the id are arguments of the shell command. */
async function runCommand(
  command: string,
  words: readonly string[],
  { shell, timeoutMs }: { readonly shell: Shell; readonly timeoutMs: number },
): Promise<EffectState> {
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
  const line = [command, ...quoted].join(' ')
  const printed = await shell.run(line, { name: 'effects.command', timeoutMs })
  const where = `effects.command "${command}"`
  return parseEffectState(requireJson(printed, where), where)
}

function requireJson(body: string, where: string): unknown {
  const value = parseJson(body)
  if (value !== undefined) return value
  throw new ProbeError(
    `Cannot read effects from ${where}: ${formatValue(body)} is not JSON. Answer such as ${EXAMPLE}`,
  )
}

type FunctionOptions = Extract<EffectOptions, { readonly kind: 'function' }>

/** Reports its errors as those of the platform. */
async function callFunction(
  { read }: FunctionOptions,
  [type, id]: readonly [type: string, id: string],
  timeoutMs: number,
): Promise<EffectState> {
  const where = 'effects.function'
  // The function may throw before it returns a promise.
  const look = async () => read(type, id)
  const ended = new AbortController()
  const refuse = (what: string, cause?: unknown) => {
    throw new ProbeError(`Cannot read ${where}: it ${what} for ${type} "${id}". Return ${EXAMPLE}`, { cause })
  }
  const late = pause(timeoutMs, undefined, { signal: ended.signal }).then(() =>
    refuse(`did not end within ${timeoutMs} ms`),
  )
  const reading = look().catch((cause: unknown) => refuse(`threw "${errorMessage(cause)}"`, cause))
  try {
    return parseEffectState(await Promise.race([reading, late]), where)
  } finally {
    ended.abort()
  }
}

/** The limit after a timeout, because a run has hundreds of looks. Real milliseconds. */
const AFTER_A_HANG_MS = 2_000
/** A timer may fire a little early. */
const EARLY_MS = 10

/** Runs work with a time limit. */
type Limit = <Result>(work: (timeoutMs: number) => Promise<Result>) => Promise<Result>

/** Lowers the limit after a timeout, until some work ends sooner. */
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
