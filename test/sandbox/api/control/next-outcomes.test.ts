import { expect, test } from 'vitest'
import { testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

const KIND = 'direct-debit-payin'

function choose({ control }: TestSandbox, kind: string, outcome: unknown) {
  return control('PUT', '/next-outcomes', { kind, outcome })
}

async function chosen({ control }: TestSandbox): Promise<unknown> {
  return (await control('GET', '/next-outcomes')).body.next_outcomes
}

async function played({ control }: TestSandbox, request: object): Promise<string> {
  return (await control('POST', '/payments', request)).body.outcome
}

test('a later choice for a kind takes the place of the earlier one, and leaves other kinds alone', async () => {
  const sandbox = testSandbox()
  await choose(sandbox, KIND, 'invalid_account_details')
  await choose(sandbox, 'realtime-payout', 'cancelled')
  await choose(sandbox, KIND, 'failed_direct_debit')

  expect(await chosen(sandbox)).toEqual([
    { kind: KIND, outcome: 'failed_direct_debit' },
    { kind: 'realtime-payout', outcome: 'cancelled' },
  ])
})

test('a payment that is played uses up what was chosen only where it is given no outcome', async () => {
  const sandbox = testSandbox()
  await choose(sandbox, KIND, 'failed_direct_debit')

  const outcomes = [
    await played(sandbox, { kind: KIND, outcome: 'invalid_account_details' }),
    await played(sandbox, { kind: 'bpay-payout' }),
    await played(sandbox, { kind: KIND }),
    await played(sandbox, { kind: KIND }),
  ]

  expect(outcomes).toEqual(['invalid_account_details', 'successful', 'failed_direct_debit', 'successful'])
})

test('a payment that is refused uses up nothing', async () => {
  const sandbox = testSandbox()
  await choose(sandbox, KIND, 'failed_direct_debit')

  const refused = await sandbox.control('POST', '/payments', { kind: KIND, item: 'nothing' })

  expect([refused.status, await chosen(sandbox)]).toEqual([
    404,
    [{ kind: KIND, outcome: 'failed_direct_debit' }],
  ])
})

test('what was chosen is cleared for one kind, for all, and by a reset', async () => {
  const sandbox = testSandbox()
  const chooseBoth = async () => {
    await choose(sandbox, KIND, 'failed_direct_debit')
    await choose(sandbox, 'bpay-payout', 'invalid_account_details')
  }
  const debit = { kind: KIND, outcome: 'failed_direct_debit' }
  const bill = { kind: 'bpay-payout', outcome: 'invalid_account_details' }

  await chooseBoth()
  const one = await sandbox.control('DELETE', `/next-outcomes?kind=${KIND}`)
  const again = await sandbox.control('DELETE', `/next-outcomes?kind=${KIND}`)
  const left = await chosen(sandbox)
  const all = await sandbox.control('DELETE', '/next-outcomes')
  const none = await chosen(sandbox)
  await chooseBoth()
  await sandbox.control('POST', '/reset')

  expect([one.body.next_outcomes, again.body.next_outcomes, left]).toEqual([[debit], [], [bill]])
  expect([all.body.next_outcomes, none, await chosen(sandbox)]).toEqual([[bill], [], []])
})

test.each([
  ['lottery', 'won', 'kind', 'Cannot decide the next "lottery": the kinds are direct-credit-payout, '],
  [KIND, 'lost', 'outcome', `it comes to successful or invalid_account_details or failed_direct_debit`],
  [KIND, undefined, 'outcome', 'outcome'],
  ['card-payin', 'failed_direct_debit', 'outcome', 'it comes to successful'],
])('for %s "%s" is refused with what there is', async (kind, outcome, ...[field, why]) => {
  const sandbox = testSandbox()

  const { status, body } = await choose(sandbox, kind, outcome)

  expect([status, body.error]).toEqual([
    422,
    expect.objectContaining({ field, message: expect.stringContaining(String(why)) }),
  ])
  expect(await chosen(sandbox)).toEqual([])
})

test('a snapshot keeps what was chosen, and puts it back', async () => {
  const sandbox = testSandbox()
  await choose(sandbox, KIND, 'failed_direct_debit')
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')
  await sandbox.control('POST', '/reset')

  const { status } = await sandbox.control('PUT', '/snapshot', snapshot)

  expect([status, await played(sandbox, { kind: KIND })]).toEqual([200, 'failed_direct_debit'])
})
