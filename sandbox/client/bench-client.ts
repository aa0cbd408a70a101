import type {
  Advanced,
  Clock,
  ClockRequest,
  ControlError,
  CraftedDelivery,
  CraftedDeliveryPage,
  DeliveryRequest,
  Fault,
  FaultList,
  FaultRequest,
  Health,
  JobDetail,
  JobPage,
  ObjectRecord,
  Payment,
  PaymentList,
  PlayRequest,
  ReadingList,
  RegistrationList,
  RequestPage,
  Settled,
  SettleRequest,
  Snapshot,
} from '../../spec/generated/control-types.ts'
import { readBenchToken, readRun, type Run } from '../adapters/data-folder.ts'
import { fetchPatiently } from './patient-fetch.ts'
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

/** What is asked of a list; the names are those of the control API. */
export type Query = Readonly<Record<string, string>>

/** The control API of a running sandbox, but for its events. */
export interface BenchClient {
  health(signal?: AbortSignal): Promise<Health>
  clock(): Promise<Clock>
  setClock(request: ClockRequest): Promise<Clock>
  advance(request: { by: string } | { to: string }): Promise<Advanced>
  create(type: string, fields: object): Promise<ObjectRecord>
  show(type: string, id: string): Promise<ObjectRecord>
  change(type: string, id: string, fields: object): Promise<ObjectRecord>
  move(type: string, id: string, to: string): Promise<ObjectRecord>
  play(request: PlayRequest): Promise<Payment>
  payments(): Promise<PaymentList>
  payment(id: string): Promise<Payment>
  next(id: string): Promise<Payment>
  jobs(query: Query): Promise<JobPage>
  job(id: string): Promise<JobDetail>
  resend(id: string): Promise<JobDetail>
  deliver(request: DeliveryRequest): Promise<CraftedDelivery>
  deliveries(query: Query): Promise<CraftedDeliveryPage>
  delivery(id: string): Promise<CraftedDelivery>
  requests(query: Query): Promise<RequestPage>
  addFault(request: FaultRequest): Promise<Fault>
  faults(): Promise<FaultList>
  removeFault(id: string): Promise<Fault>
  clearFaults(): Promise<FaultList>
  registrations(): Promise<RegistrationList>
  readings(): Promise<ReadingList>
  setReadings(chosen: Readonly<Record<string, string>>): Promise<ReadingList>
  reset(): Promise<Clock>
  snapshot(): Promise<Snapshot>
  /** Whether it is a snapshot is for the sandbox to say. */
  restore(snapshot: unknown): Promise<Clock>
  settle(request: SettleRequest): Promise<Settled>
}

/** `through` is what all calls go through; if left out, those that may take long have as long as they need. */
export function createBenchClient({ url, token }: BenchAddress, through?: typeof fetch): BenchClient {
  async function call<Body>(method: string, path: string, options: CallOptions = {}): Promise<Body> {
    const { body, signal, patient = false } = options
    const by = through ?? (patient ? await fetchPatiently() : fetch)
    const response = await send(`${url}/control${path}`, { method, token, body, signal, through: by })
    if (response.ok) return read<Body>(response)
    throw await refusal(response, url)
  }
  const get = <Body>(path: string) => call<Body>('GET', path)
  const post = <Body>(path: string, body?: unknown) => call<Body>('POST', path, { body })
  return {
    health: (signal) => call('GET', '/health', { signal }),
    clock: () => get('/clock'),
    setClock: (request) => call('PATCH', '/clock', { body: request }),
    advance: (request) => call('POST', '/clock/advance', { body: request, patient: true }),
    create: (type, fields) => post(at`/objects/${type}`, fields),
    show: (type, id) => get(at`/objects/${type}/${id}`),
    change: (type, id, fields) => call('PATCH', at`/objects/${type}/${id}`, { body: fields }),
    move: (type, id, to) => post(at`/objects/${type}/${id}/transitions`, { to }),
    play: (request) => post('/payments', request),
    payments: () => get('/payments'),
    payment: (id) => get(at`/payments/${id}`),
    next: (id) => post(at`/payments/${id}/next`),
    jobs: (query) => get(`/jobs${search(query)}`),
    job: (id) => get(at`/jobs/${id}`),
    resend: (id) => post(at`/jobs/${id}/resend`),
    deliver: (request) => call('POST', '/deliveries', { body: request, patient: true }),
    deliveries: (query) => get(`/deliveries${search(query)}`),
    delivery: (id) => get(at`/deliveries/${id}`),
    requests: (query) => get(`/requests${search(query)}`),
    addFault: (request) => post('/faults', request),
    faults: () => get('/faults'),
    removeFault: (id) => call('DELETE', at`/faults/${id}`),
    clearFaults: () => call('DELETE', '/faults'),
    registrations: () => get('/registrations'),
    readings: () => get('/readings'),
    setReadings: (chosen) => call('PATCH', '/readings', { body: chosen }),
    reset: () => post('/reset'),
    snapshot: () => call('GET', '/snapshot', { patient: true }),
    restore: (snapshot) => call('PUT', '/snapshot', { body: snapshot, patient: true }),
    settle: (request) => call('POST', '/settle', { body: request, patient: true }),
  }
}

interface CallOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** It may take longer than five minutes. */
  readonly patient?: boolean
}

/** A path in which what is filled in is one segment, whatever it holds. */
function at(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: strings }, ...values.map(encodeURIComponent))
}

function search(query: Query): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

/** What was sent was wrong, or only does not fit what the sandbox holds now. Every refusal of a bench has an `error`. */
export async function refusal(response: Response, url: string): Promise<Error> {
  const { error } = await read<Partial<ControlError>>(response)
  if (typeof error?.message === 'string') {
    const misused = response.status === 400 || response.status === 422
    const { message, ...rest } = error
    return new RefusedError(message, { ...rest, misused })
  }
  return new UnreachableError(
    `Cannot find the bench at ${url}: what answers there is the service API, or no sandbox; ${REMEDY}`,
  )
}
