import { expect, test } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../../sandbox/index.ts'

/** Opens a sandbox whose item receiver responds with `statuses` in turn, then with 204. */
function openWith(statuses: number[], options: SandboxOptions = {}) {
  const receivers = {
    items: (request: Request) => request.text().then((text) => answerTo(text)),
  }
  const answerTo = (text: string) =>
    new Response(null, { status: text.includes('"message"') ? 200 : (statuses.shift() ?? 204) })
  return createSandbox({ seed: 1, receivers, ...options })
}

test('addFault() adds a fault that applies to a delivery', async () => {
  await using sandbox = await openWith([])
  const fault = await sandbox.addFault({ on: 'delivery', kind: 'duplicate', times: 1 })

  await sandbox.create('items')
  await sandbox.create('items')

  const [first, second] = sandbox.jobs().map((job) => sandbox.attempts(job))
  expect(first?.[0]?.head.faults).toEqual([{ id: fault.id, kind: 'duplicate' }])
  expect(second?.[0]?.head.faults).toBeUndefined()
  expect(await sandbox.faults()).toMatchObject([{ id: fault.id, matched: 1, applied: 1 }])
})

test('settle() names deliveries that a fault holds back', async () => {
  await using sandbox = await openWith([])
  await sandbox.addFault({ on: 'delivery', kind: 'reorder' })
  await sandbox.create('items')

  await expect(sandbox.settle({ timeoutMs: 5 })).rejects.toThrow(
    'Cannot settle within 5 ms: still waiting for 1 held_by_fault',
  )
  await sandbox.clearFaults()
  await sandbox.settle()

  expect(sandbox.jobs().map(({ status }) => status)).toEqual(['success'])
})

test('resend() makes a manual attempt and keeps the retries', async () => {
  await using sandbox = await openWith([500, 503])
  await sandbox.create('items')
  const [job] = sandbox.jobs()
  const due = job?.next_due_at

  const { attempts } = await sandbox.resend({ id: job?.id ?? '' })

  expect(attempts.map(({ manual, status }) => [manual, status])).toEqual([
    [false, 500],
    [true, 503],
  ])
  expect(sandbox.jobs()[0]?.next_due_at).toBe(due)
})

test('reset() starts again with the same ids and registered receivers', async () => {
  await using sandbox = await openWith([])
  const first = await sandbox.create('items', { amount: 1200 })
  const jobs = sandbox.jobs().map(({ id, url }) => [id, url])
  await sandbox.advance('3h')

  await sandbox.reset()

  expect(sandbox.jobs()).toEqual([])
  expect(sandbox.data.items.findMany()).toEqual([])
  expect(await sandbox.create('items', { amount: 1200 })).toEqual(first)
  expect(sandbox.jobs().map(({ id, url }) => [id, url])).toEqual(jobs)
  await sandbox.expectDelivery({ object_id: first.id })
})

test('restore() restores the objects, the collections and the clock', async () => {
  await using sandbox = await openWith([500, 500])
  const item = await sandbox.create('items', { amount: 1200 })
  const snapshot = await sandbox.snapshot()
  const now = sandbox.now()
  await sandbox.change('items', item.id, { state: 'completed' })
  await sandbox.create('items')
  await sandbox.advance('1h')

  await sandbox.restore(snapshot)

  expect(sandbox.now()).toEqual(now)
  expect(sandbox.data.items.findMany()).toMatchObject([{ id: item.id, state: 'pending' }])
  expect(sandbox.jobs()).toMatchObject([{ status: 'failed', object_id: item.id }])
  await sandbox.advance('5m')
  await sandbox.expectDelivery({ object_id: item.id, attempt: 2, status: 204 })
})

test('setNextOutcome() decides the outcome of the next payment', async () => {
  await using sandbox = await openWith([])
  await sandbox.setNextOutcome('direct-debit-payin', 'failed_direct_debit')
  await sandbox.setNextOutcome('bpay-payout', 'invalid_account_details')
  await sandbox.clearNextOutcomes('bpay-payout')
  const chosen = await sandbox.nextOutcomes()

  const failed = await sandbox.play('direct-debit-payin')
  const usual = await sandbox.play('direct-debit-payin')

  expect(chosen).toEqual([{ kind: 'direct-debit-payin', outcome: 'failed_direct_debit' }])
  expect([failed.outcome, usual.outcome]).toEqual(['failed_direct_debit', 'successful'])
  await expect(sandbox.setNextOutcome('card-payin', 'failed_direct_debit')).rejects.toThrow(
    'Cannot play card-payin with outcome "failed_direct_debit": the outcome must be successful',
  )
})
