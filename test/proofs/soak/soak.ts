import type { JobSummary } from '../../../spec/generated/control-types.ts'
import { type Account, compare, createLedger, p99 } from './ledger.ts'
import { createObjects, makeChanges, openReceivers, RECEIVERS } from './receivers.ts'
import { startSandbox, watchResources } from './sandbox.ts'

export interface SoakOptions {
  readonly minutes: number
  /** The number of changes per second. */
  readonly rate: number
  /** False on a busy machine, where measured times are meaningless. */
  readonly judgesTimes: boolean
}

export interface SoakResult {
  readonly changes: number
  readonly failures: readonly string[]
  readonly detail: string
}

const MOST_P99_MS = 150

export async function soak({ minutes, rate, judgesTimes }: SoakOptions): Promise<SoakResult> {
  const ledger = createLedger()
  const sandbox = await startSandbox()
  const objects = await createObjects(sandbox)
  const close = await openReceivers(sandbox, ledger)
  try {
    const resources = watchResources(sandbox.pid)
    await makeChanges(objects, { ledger, count: Math.round(minutes * 60 * rate), rate })
    // The clock is stopped, so that no retry is sent while the jobs are listed.
    await sandbox.perform('setClock', { body: { mode: 'manual' } })
    const { settled } = await sandbox.perform('settle', { body: { timeout_ms: 600_000 } })
    const { detail, problems } = resources.stop(ledger.triggers.size)
    const accounts = toAccounts(await sandbox.jobs())
    const code = await sandbox.end()
    const time = p99(
      ledger,
      RECEIVERS.flatMap(({ name, isFaulty }) => (isFaulty ? [] : [name])),
    )
    const isSlow = judgesTimes && time > MOST_P99_MS
    const failures = [
      ...accounts.flatMap((account) => compare(ledger, account)),
      ...problems,
      ...(settled ? [] : ['not everything was attempted within ten minutes after the end']),
      ...(code === 0 ? [] : [`the sandbox ended with ${code}`]),
      ...(isSlow ? [`a healthy receiver got a change after ${time.toFixed(0)} ms (p99)`] : []),
    ]
    const about = `${rate} changes a second; p99 from the call to the receipt ${time.toFixed(0)} ms; ${detail}`
    return { changes: ledger.triggers.size, failures, detail: about }
  } finally {
    close()
    await sandbox.close()
  }
}

function toAccounts(jobs: readonly JobSummary[]): readonly Account[] {
  return RECEIVERS.map(({ name, objectType, isFaulty }) => ({
    receiver: name,
    objectType,
    isFaulty,
    jobs: jobs.filter(({ url }) => new URL(url).pathname === `/${name}`),
  }))
}
