import type {
  Advanced,
  ControlError,
  Health,
  JobDetail,
  JobPage,
  ObjectRecord,
  Payment,
  PlayRequest,
  ReadingList,
} from '../../spec/generated/control-types.ts'
import { readBenchToken, readRun, type Run } from './data-folder.ts'
import { read, RefusedError, REMEDY, send, UnreachableError } from './requests.ts'

/** Where a running sandbox's bench listens, and what opens it. */
export interface BenchAddress {
  readonly url: string
  readonly token: string
}

/**
 * The bench that the environment names, or else that runs on the data folder. Throws UnreachableError, or RangeError for a
 * HOOKBENCH_URL that is no address, with the remedy.
 */
export function findBench(folder: string, env: NodeJS.ProcessEnv): BenchAddress {
  const { HOOKBENCH_URL: given, HOOKBENCH_TOKEN: token } = env
  const url = given === undefined ? runOn(folder).bench_url : addressOf(given)
  return { url, token: token ?? readBenchToken({ path: folder }) ?? '' }
}

function addressOf(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text.replace(/\/+$/, '')
  throw new RangeError(
    `Cannot use HOOKBENCH_URL "${text}": it takes the bench's address, such as http://127.0.0.1:4011; leave it unset to find the sandbox by its data folder`,
  )
}

function runOn(folder: string): Run {
  const run = readRunOf(folder)
  if (run) return run
  throw new UnreachableError(
    `Cannot find a sandbox: none runs on data folder "${folder}"; start one with "npx hookbench up", name its folder with --data, or set HOOKBENCH_URL and HOOKBENCH_TOKEN`,
  )
}

function readRunOf(folder: string): Run | undefined {
  try {
    const run = readRun({ path: folder })
    if (run === undefined || URL.canParse(run.bench_url)) return run
  } catch (error) {
    // Torn, or no longer an object.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  throw new UnreachableError(
    `Cannot find the sandbox of data folder "${folder}": its run.json is damaged; end that sandbox and start it again, or set HOOKBENCH_URL and HOOKBENCH_TOKEN`,
  )
}

/** The control API of a running sandbox. */
export interface BenchClient {
  health(): Promise<Health>
  advance(request: { by: string } | { to: string }): Promise<Advanced>
  create(type: string, fields: object): Promise<ObjectRecord>
  change(type: string, id: string, fields: object): Promise<ObjectRecord>
  play(request: PlayRequest): Promise<Payment>
  payment(id: string): Promise<Payment>
  next(id: string): Promise<Payment>
  jobs(query: Readonly<Record<string, string>>): Promise<JobPage>
  job(id: string): Promise<JobDetail>
  readings(): Promise<ReadingList>
  setReadings(chosen: Readonly<Record<string, string>>): Promise<ReadingList>
}

export function createBenchClient({ url, token }: BenchAddress): BenchClient {
  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await send(`${url}/control${path}`, { method, token, body })
    if (response.ok) return read<Body>(response)
    throw refusalOf(response.status, url, await read<Partial<ControlError>>(response))
  }
  const segment = encodeURIComponent
  return {
    health: () => call('GET', '/health'),
    advance: (request) => call('POST', '/clock/advance', request),
    create: (type, fields) => call('POST', `/objects/${segment(type)}`, fields),
    change: (type, id, fields) => call('PATCH', `/objects/${segment(type)}/${segment(id)}`, fields),
    play: (request) => call('POST', '/payments', request),
    payment: (id) => call('GET', `/payments/${segment(id)}`),
    next: (id) => call('POST', `/payments/${segment(id)}/next`),
    jobs: (query) => call('GET', `/jobs?${new URLSearchParams(query).toString()}`),
    job: (id) => call('GET', `/jobs/${segment(id)}`),
    readings: () => call('GET', '/readings'),
    setReadings: (chosen) => call('PATCH', '/readings', chosen),
  }
}

/** What was sent was wrong, or only does not fit what the sandbox holds now. Every refusal of a bench has an `error`. */
function refusalOf(status: number, url: string, { error }: Partial<ControlError>): Error {
  if (typeof error?.message === 'string') {
    return new RefusedError(error.message, { hint: error.hint, misused: status === 400 || status === 422 })
  }
  return new UnreachableError(
    `Cannot find the bench at ${url}: what answers there is the service API, or no sandbox; ${REMEDY}`,
  )
}
