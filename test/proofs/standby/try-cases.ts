import type { JobDetail, JobPage } from '../../../spec/generated/control-types.ts'
import { openCustomer, type Customer } from './customers.ts'
import { judgeHistory } from './history.ts'
import { openStage, type Stage } from './stage.ts'

export type CaseKind = 'kill' | 'freeze' | 'outage'

export interface TriedCase {
  readonly number: number
  readonly kind: CaseKind
  readonly failures: readonly string[]
  /** The time in milliseconds until the next acknowledged change. */
  readonly takeoverMs: number
}

const WORLDS = 3
const BEFORE = 4
const AFTER = 3

export async function tryCases(
  cases: readonly { readonly number: number; readonly kind: CaseKind }[],
  onTried: (tried: TriedCase) => void,
): Promise<void> {
  const stage = await openStage(WORLDS)
  try {
    for (const { number, kind } of cases) {
      const { failures, takeoverMs } = await tryCase(stage, number, kind)
      onTried({
        number,
        kind,
        takeoverMs,
        failures: failures.map((failure) => `${kind} ${number}: ${failure}`),
      })
    }
  } finally {
    await stage.close()
  }
}

/** Two outages in milliseconds: one shorter and one longer than the lease. */
const OUTAGES_MS = [0, 2_000]

async function tryCase(
  stage: Stage,
  number: number,
  kind: CaseKind,
): Promise<Omit<TriedCase, 'number' | 'kind'>> {
  const customers = stage.worlds.map((world) => openCustomer(world, stage.processes))
  const served = (count: number) => Promise.all(customers.map((customer) => customer.served(count)))
  await served(BEFORE)
  const active = await stage.active()
  const startedAt = performance.now()
  if (kind === 'kill') await active.kill()
  else if (kind === 'freeze') active.freeze()
  else {
    await stage.server.stop('immediate')
    await new Promise((resolve) => setTimeout(resolve, OUTAGES_MS[number % OUTAGES_MS.length]))
    await stage.server.start()
  }
  await served(1)
  const takeoverMs = Math.round(performance.now() - startedAt)
  await served(AFTER)
  if (kind === 'kill') await active.start()
  if (kind === 'freeze') active.wake()
  await served(AFTER)
  await Promise.all(customers.map((customer) => customer.end()))
  const judged = await Promise.all(customers.map((customer) => judgeWorld(stage, customer)))
  return {
    takeoverMs,
    failures: [
      ...customers.flatMap(({ surprises }) => surprises),
      ...judged.flat(),
      ...(await judgeHistory(stage.server)),
    ],
  }
}

async function judgeWorld(stage: Stage, { world, acknowledged }: Customer): Promise<readonly string[]> {
  const failures: string[] = []
  for (const id of acknowledged) {
    const shown = await stage.ask(world, 'GET', `/objects/items/${id}`)
    if (shown.status !== 200) failures.push(`${world.name}: item ${id} was acknowledged and is lost`)
    const job = await findEndedJob(stage, world, id)
    const came = stage.shop.countById.get(id) ?? 0
    if (job.job.status !== 'success')
      failures.push(`${world.name}: the job of item ${id} is ${job.job.status}`)
    if (came === 0) failures.push(`${world.name}: item ${id} was never received`)
    const interrupted = job.attempts.filter(({ reason }) => reason === 'interrupted').length
    if (came > 1 + interrupted)
      failures.push(
        `${world.name}: item ${id} came ${came} times, and ${interrupted} attempts are on record as interrupted`,
      )
  }
  return failures
}

async function findEndedJob(stage: Stage, world: Customer['world'], id: string): Promise<JobDetail> {
  for (;;) {
    const page: { readonly body: JobPage } = await stage.ask(world, 'GET', `/jobs?object_id=${id}`)
    const [job] = page.body.jobs
    if (job && job.status !== 'pending')
      return (await stage.ask(world, 'GET', `/jobs/${job.id}`)).body satisfies JobDetail
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
