import { setTimeout } from 'node:timers/promises'
import { createBarePosts } from '../bare-posts.ts'
import { startReceiver, type BenchReceiver } from '../receiver.ts'
import { askJson, benchHeaders } from '../requests.ts'
import { ratioFigure, type MeasureOptions, type Row } from '../row.ts'
import { createItem, openSandbox, registerUrl, type BenchSandbox } from '../sandbox.ts'
import { compareSides, median, percentile99, type Side } from '../slices.ts'

const IN_FLIGHT = 64

async function withFailingReceiver<Result>(
  options: MeasureOptions,
  measure: (sandbox: BenchSandbox, receiver: BenchReceiver) => Promise<Result>,
): Promise<Result> {
  const receiver = await startReceiver(options.folder, Number.POSITIVE_INFINITY)
  const store = `clock-${process.pid}-${Date.now()}.sqlite`
  const sandbox = await openSandbox({ folder: options.folder, store, speed: 0, concurrency: IN_FLIGHT })
  try {
    await registerUrl(sandbox, { url: `${receiver.origin}/failing/items`, object_type: 'items' })
    return await measure(sandbox, receiver)
  } finally {
    await sandbox.close()
    await receiver.end()
  }
}

const PENDING = 10_000
/** The items are created in this many steps. With a single step, too many deliveries would be due at the same moment. */
const STEPS = 1_000
/** Source: §8 of the service's document */
const FIRST_RETRY_MS = 300_000
const SPEED = 15

/** Creates items over five minutes, so that their retries are spread over the following five minutes. */
async function spreadFailures(sandbox: BenchSandbox): Promise<void> {
  for (let step = 1; step <= STEPS; step++) {
    await Promise.all(Array.from({ length: PENDING / STEPS }, () => createItem(sandbox, { silent: false })))
    await sandbox.idle()
    if (step < STEPS) await sandbox.advance(sandbox.context.now() + FIRST_RETRY_MS / STEPS)
  }
}

export const LATENESS: Row = {
  id: 'lateness',
  what: '99th percentile of the lateness of retries with a compressed clock, while 10,000 retries are pending',
  unit: 'ms',
  better: 'less',
  bar: 20,
  instead: 'a queue that polls about once a second',
  profile: `Half of the retries come within 3 ms, even on a busy machine. The late ones were due while the process had no processor, or waited for a transaction that was being synced (1 to 2 ms). Retries have as many places as first attempts, which helped.`,
  measure: (options) =>
    withFailingReceiver(options, async (sandbox, receiver) => {
      await spreadFailures(sandbox)
      const dueById = new Map(sandbox.store.jobs().map((job) => [job.object_id, job.next_due_at ?? 0]))
      await receiver.ask('note')
      const body = JSON.stringify({ mode: 'compressed', speed: SPEED })
      await askJson(`${sandbox.benchUrl}/control/clock`, { method: 'PATCH', headers: benchHeaders, body })
      // The measurement starts after the clock is set.
      const [from, realFrom] = [sandbox.context.now(), performance.timeOrigin + performance.now()]
      await setTimeout(FIRST_RETRY_MS / SPEED)
      const arrivals = await receiver.ask<(readonly [id: string, at: number])[]>('arrivals')
      const late = arrivals.map(
        ([id, at]) => at - realFrom - ((dueById.get(id) ?? Number.NaN) - from) / SPEED,
      )
      const detail = `the run had ${late.length} retries, and the median was ${median(late).toFixed(1)} ms`
      return { value: percentile99(late), detail }
    }),
}

const JUMPED = 400

export const JUMP: Row = {
  id: 'jump',
  what: 'retries per second over keep-alive HTTPS connections after a jump of the clock, compared with bare `undici`',
  unit: '',
  better: 'more',
  bar: 0.3,
  goal: 0.5,
  instead: 'a wait of five minutes to seven hours in real time',
  profile: `A retry goes through the same steps as a delivery, and reads its job and its body from the store. See \`deliveries\`.`,
  measure: (options) =>
    withFailingReceiver(options, async (sandbox, receiver) => {
      const url = `${receiver.origin}/failing/items`
      const { body } = await createItem(sandbox)
      const bare = createBarePosts(url, { ca: receiver.ca, body, connections: IN_FLIGHT })
      const jump: Side = async () => {
        await Promise.all(Array.from({ length: JUMPED }, () => createItem(sandbox, { silent: false })))
        await sandbox.idle()
        const startedAt = performance.now()
        const made = await sandbox.advance(sandbox.context.now() + FIRST_RETRY_MS)
        return (made / (performance.now() - startedAt)) * 1_000
      }
      const compared = await compareSides({ ours: jump, bare: bare.side(IN_FLIGHT) })
      await bare.close()
      return ratioFigure(compared)
    }),
}
