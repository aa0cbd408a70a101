import { setTimeout } from 'node:timers/promises'
import { startReceiver, type BenchReceiver } from '../receiver.ts'
import type { MeasureOptions, Row } from '../row.ts'
import { createObject, openSandbox, registerUrl } from '../sandbox.ts'
import { median, percentile99 } from '../slices.ts'

/** One receiver responds to notifications for half of the object types. The receiver for the other types hangs. */
const ANSWERED = ['items', 'users', 'companies', 'disbursements'] as const
const HANGING = ['transactions', 'batch_transactions', 'accounts', 'virtual_accounts'] as const

const SLICE_MS = 8_000
const EVERY_MS = 40
const ROUNDS = 2

interface Receivers {
  readonly answering: BenchReceiver
  readonly hanging: BenchReceiver
}

const now = () => performance.timeOrigin + performance.now()

/** Returns the milliseconds from each change to the arrival of its notification. */
async function takeLatencies(
  { folder }: MeasureOptions,
  { answering, hanging }: Receivers,
  withHanging: boolean,
): Promise<readonly number[]> {
  const sandbox = await openSandbox({ folder, store: `isolation-${process.pid}-${Date.now()}.sqlite` })
  const triggeredAt = new Map<string, number>()
  try {
    for (const object_type of ANSWERED)
      await registerUrl(sandbox, { url: `${answering.origin}/${object_type}`, object_type })
    if (withHanging) {
      for (const object_type of HANGING)
        await registerUrl(sandbox, { url: `${hanging.origin}/hanging/${object_type}`, object_type })
    }
    await answering.ask('note')
    const startedAt = performance.now()
    while (performance.now() - startedAt < SLICE_MS) {
      // The types whose receiver hangs come first.
      const types = [...HANGING, ...ANSWERED]
      await Promise.all(types.map((type) => createObject(sandbox, type, (id) => triggeredAt.set(id, now()))))
      await setTimeout(EVERY_MS)
    }
    const arrivals = await answering.ask<(readonly [id: string, at: number])[]>('arrivals')
    return arrivals.map(([id, at]) => at - (triggeredAt.get(id) ?? Number.NaN))
  } finally {
    await sandbox.close()
  }
}

export const ISOLATION: Row = {
  id: 'isolation',
  what: 'the 99th percentile of the time from trigger to receipt while half of the receivers hang, compared with a run without these receivers',
  unit: '',
  better: 'less',
  bar: 2,
  instead: 'one pool of workers for all receivers, which stops when every worker hangs',
  async measure(options) {
    const receivers = {
      answering: await startReceiver(options.folder),
      hanging: await startReceiver(options.folder),
    }
    const taken: { readonly with: number[]; readonly without: number[] } = { with: [], without: [] }
    try {
      for (let round = 0; round < ROUNDS; round++) {
        taken.without.push(...(await takeLatencies(options, receivers, false)))
        taken.with.push(...(await takeLatencies(options, receivers, true)))
      }
    } finally {
      await receivers.answering.end()
      await receivers.hanging.end()
    }
    const [hung, alone] = [percentile99(taken.with), percentile99(taken.without)]
    const detail =
      `${hung.toFixed(1)} ms against ${alone.toFixed(1)}; median ${median(taken.with).toFixed(1)} ms against ` +
      `${median(taken.without).toFixed(1)}; ${taken.with.length} deliveries against ${taken.without.length}`
    return { value: hung / alone, detail }
  },
}
