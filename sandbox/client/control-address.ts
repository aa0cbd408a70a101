import { readCaFile } from '../adapters/ca-file.ts'
import { findRun, readBenchToken, readCaCertificate, readRun, type RunFile } from '../adapters/data-folder.ts'
import { UnreachableError } from './unreachable.ts'

export interface ControlAddress {
  readonly url: string
  readonly token: string
  /** The name of the world. Defaults to the world of the token, or to the default world. */
  readonly world?: string | undefined
  /** The PEM certificates of the CAs that are trusted for HTTPS. Defaults to the public CAs. */
  readonly trustedCas?: readonly string[] | undefined
}

/**
 * Finds the control API address. Adds a token only if the token belongs to this sandbox. Throws UnreachableError, or RangeError
 * for an invalid variable.
 */
export function findControlAddress(folder: string, env: NodeJS.ProcessEnv): ControlAddress {
  const { HOOKBENCH_URL: given } = env
  const url = given === undefined ? runningOn(folder).bench_url : originFrom(given)
  const token = given === undefined ? tokenOfFolder(folder, url, env) : findTokenFor(url, folder, env)
  return {
    url,
    token: token ?? '',
    ...(url.startsWith('https:') && { trustedCas: findTrustedCas(folder, given === undefined ? {} : env) }),
  }
}

/** Returns the token in the data folder only if the folder's sandbox has this URL. */
export function findTokenFor(
  url: string,
  folder: string,
  { HOOKBENCH_TOKEN: token }: NodeJS.ProcessEnv,
): string | undefined {
  return token || (isBenchOf(folder, url) ? readBenchToken({ path: folder }) : undefined)
}

export function isReadableByOthers(url: string): boolean {
  return !url.startsWith('https:') && !isLoopback(url)
}

/** Returns undefined if neither the environment nor the data folder has a CA. Throws RangeError with the fix. */
export function findTrustedCas(
  folder: string,
  { HOOKBENCH_CA: file }: NodeJS.ProcessEnv,
): readonly string[] | undefined {
  const named = file === undefined ? undefined : readCaFile(file, 'HOOKBENCH_CA')
  const cas = [named, readCaCertificate({ path: folder })].filter((pem) => pem !== undefined)
  return cas.length === 0 ? undefined : cas
}

/** Returns the service URL. With HTTPS, uses the host name of the control API, because this name resolves on this machine. */
export function serviceUrlBeside(benchUrl: string, serviceUrl: string): string {
  const [bench, service] = [new URL(benchUrl), new URL(serviceUrl)]
  if (bench.protocol !== 'https:' || service.protocol !== 'https:') return serviceUrl
  return `https://${bench.hostname}${service.port === '' ? '' : `:${service.port}`}`
}

/** Uses the token from the environment only for loopback, because anyone could write another URL into the folder. */
function tokenOfFolder(folder: string, url: string, { HOOKBENCH_TOKEN: token }: NodeJS.ProcessEnv) {
  return readBenchToken({ path: folder }) || (isLoopback(url) ? token : undefined)
}

function isBenchOf(folder: string, url: string): boolean {
  const origin = URL.parse(url)?.origin
  return origin !== undefined && URL.parse(findRun(folder)?.bench_url ?? '')?.origin === origin
}

export function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')
}

function originFrom(text: string): string {
  const { protocol, href } = URL.parse(text) ?? {}
  if (href === undefined || !/^https?:$/.test(protocol ?? '')) {
    throw new RangeError(
      `Cannot use HOOKBENCH_URL "${text}": the value must be the address of the bench, such as http://127.0.0.1:4011. Unset HOOKBENCH_URL to find the sandbox by its data folder`,
    )
  }
  if (isReadableByOthers(href)) {
    throw new RangeError(
      `Cannot use HOOKBENCH_URL "${text}": others could read the token over http. Give the https: address of a sandbox that was started with --listen`,
    )
  }
  return text.replace(/\/+$/, '')
}

function runningOn(folder: string): RunFile {
  const run = readValidRun(folder)
  if (run) return run
  throw new UnreachableError('find a sandbox', {
    code: 'no_sandbox',
    state: `no sandbox runs on data folder "${folder}"`,
    hint: 'name the folder of the sandbox with --data, set HOOKBENCH_URL and HOOKBENCH_TOKEN, or start a sandbox',
    command: 'up',
  })
}

function readValidRun(folder: string): RunFile | undefined {
  try {
    const run = readRun({ path: folder })
    if (run === undefined || URL.canParse(run.bench_url)) return run
  } catch (error) {
    // A SyntaxError means that the file is truncated.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  throw new UnreachableError(`find the sandbox of data folder "${folder}"`, {
    code: 'damaged_run_file',
    state: 'the file run.json of the folder is damaged',
    hint: 'stop that sandbox and start it again, or set HOOKBENCH_URL and HOOKBENCH_TOKEN',
  })
}
