import { readBenchToken, readRun, type Run } from '../adapters/data-folder.ts'
import { UnreachableError } from './unreachable.ts'

/** Where the control API of a running sandbox listens, and the token that it takes. */
export interface ControlAddress {
  readonly url: string
  readonly token: string
}

/**
 * The sandbox that the environment names, or else the one that runs on the data folder. Throws UnreachableError, or RangeError
 * for a HOOKBENCH_URL that is not an address, with the remedy.
 */
export function findControlAddress(folder: string, env: NodeJS.ProcessEnv): ControlAddress {
  const { HOOKBENCH_URL: url, HOOKBENCH_TOKEN: token } = env
  return {
    url: url === undefined ? runningOn(folder).bench_url : originFrom(url),
    token: token ?? readBenchToken({ path: folder }) ?? '',
  }
}

function originFrom(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text.replace(/\/+$/, '')
  throw new RangeError(
    `Cannot use HOOKBENCH_URL "${text}": it takes the bench's address, such as http://127.0.0.1:4011; leave it unset to find the sandbox by its data folder`,
  )
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
