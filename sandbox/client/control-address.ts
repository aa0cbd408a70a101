import { readCaFile } from '../adapters/ca-file.ts'
import {
  findCaCertificate,
  findRun,
  readBenchToken,
  readCaCertificate,
  readRun,
  type Run,
} from '../adapters/data-folder.ts'
import { UnreachableError } from './unreachable.ts'

/** Where the control API of a running sandbox listens, and the token that it takes. */
export interface ControlAddress {
  readonly url: string
  readonly token: string
  /** The one of its worlds that is meant; the one that the token opens, or else the default one, if left out. */
  readonly world?: string | undefined
  /** PEMs of the only CAs that it is trusted by, if it listens over HTTPS; the public ones if left out. */
  readonly trustedCas?: readonly string[] | undefined
}

/**
 * The sandbox that the environment names, or else the one that runs on the data folder. A token goes only where it belongs: a
 * folder from elsewhere must not get that of the environment, nor an address that of a folder. Throws UnreachableError, or
 * RangeError for a HOOKBENCH_URL that cannot be used and a HOOKBENCH_CA that is no certificate, with the remedy.
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

/** The token for an address that somebody gave: that of the environment, or of the data folder if its sandbox is the one there. */
export function findTokenFor(
  url: string,
  folder: string,
  { HOOKBENCH_TOKEN: token }: NodeJS.ProcessEnv,
): string | undefined {
  return token || (isBenchOf(folder, url) ? readBenchToken({ path: folder }) : undefined)
}

/** Whether others could read on the way what is sent to this address. */
export function isReadableByOthers(url: string): boolean {
  return !url.startsWith('https:') && !isLoopback(url)
}

/**
 * What a sandbox is trusted by that listens over HTTPS: the CA that the environment names and that of the data folder, and no other;
 * undefined if there is neither. Throws RangeError with the remedy.
 */
export function findTrustedCas(
  folder: string,
  { HOOKBENCH_CA: file }: NodeJS.ProcessEnv,
): readonly string[] | undefined {
  const named = file === undefined ? undefined : readCaFile(file, 'HOOKBENCH_CA')
  const cas = [named, readCaCertificate({ path: folder })].filter((pem) => pem !== undefined)
  return cas.length === 0 ? undefined : cas
}

/** The file of the CA that a sandbox is trusted by which listens over HTTPS, if there is any. */
export function findCaFile(folder: string, { HOOKBENCH_CA: file }: NodeJS.ProcessEnv): string | undefined {
  return file ?? findCaCertificate({ path: folder })
}

/**
 * The service of the sandbox whose bench is called at this address, by the same name: another one may lead nowhere from here, and
 * its certificate is for both.
 */
export function serviceUrlBeside(benchUrl: string, serviceUrl: string): string {
  const [bench, service] = [new URL(benchUrl), new URL(serviceUrl)]
  if (bench.protocol !== 'https:' || service.protocol !== 'https:') return serviceUrl
  return `https://${bench.hostname}${service.port === '' ? '' : `:${service.port}`}`
}

/** Anybody can write where a folder's sandbox listens: only this machine is sent a token that is not the folder's own. */
function tokenOfFolder(
  folder: string,
  url: string,
  { HOOKBENCH_TOKEN: token }: NodeJS.ProcessEnv,
): string | undefined {
  return readBenchToken({ path: folder }) || (isLoopback(url) ? token : undefined)
}

function isBenchOf(folder: string, url: string): boolean {
  const origin = URL.parse(url)?.origin
  return origin !== undefined && URL.parse(findRun(folder)?.bench_url ?? '')?.origin === origin
}

/** True for an address that only this machine can reach. */
export function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')
}

function originFrom(text: string): string {
  const { protocol, href } = URL.parse(text) ?? {}
  if (href === undefined || !/^https?:$/.test(protocol ?? '')) {
    throw new RangeError(
      `Cannot use HOOKBENCH_URL "${text}": it takes the bench's address, such as http://127.0.0.1:4011. Leave it unset to find the sandbox by its data folder`,
    )
  }
  if (isReadableByOthers(href)) {
    throw new RangeError(
      `Cannot use HOOKBENCH_URL "${text}": others could read the token on its way over http. Give the https: address of a sandbox that was started with --listen`,
    )
  }
  return text.replace(/\/+$/, '')
}

function runningOn(folder: string): Run {
  const run = readValidRun(folder)
  if (run) return run
  throw new UnreachableError('find a sandbox', {
    code: 'no_sandbox',
    state: `none runs on data folder "${folder}"`,
    hint: 'name its folder with --data, set HOOKBENCH_URL and HOOKBENCH_TOKEN, or start one',
    command: 'up',
  })
}

function readValidRun(folder: string): Run | undefined {
  try {
    const run = readRun({ path: folder })
    if (run === undefined || URL.canParse(run.bench_url)) return run
  } catch (error) {
    // Cut off, or not an object any more.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  throw new UnreachableError(`find the sandbox of data folder "${folder}"`, {
    code: 'damaged_run_file',
    state: 'its run.json is damaged',
    hint: 'end that sandbox and start it again, or set HOOKBENCH_URL and HOOKBENCH_TOKEN',
  })
}
