import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkshop } from '../support/program.ts'

const shop = openWorkshop()

beforeAll(async () => {
  await shop.up('--memory', '--clock', 'manual')
})

afterAll(() => shop.close())

async function printed(line: string): Promise<string> {
  const { code, stdout, stderr } = await shop.run(...line.split(' '))
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

test('next-outcome chooses, lists and clears the outcome of the next payment', async () => {
  const nothing = await printed('next-outcome')
  const chosen = await printed('next-outcome direct-debit-payin failed_direct_debit')
  const list = await printed('next-outcome')
  const json = await shop.json('next-outcome')
  const cleared = await printed('next-outcome direct-debit-payin --clear')
  const none = await printed('next-outcome --clear')

  expect(nothing).toContain('Every payment has the usual outcome')
  expect(chosen).toBe(
    'The next direct-debit-payin ends failed_direct_debit\n  npx hookbench next-outcome direct-debit-payin --clear\n',
  )
  expect(list.split('\n').map((row) => row.split(/ +/))).toContainEqual([
    'direct-debit-payin',
    'failed_direct_debit',
  ])
  expect(json).toEqual({ next_outcomes: [{ kind: 'direct-debit-payin', outcome: 'failed_direct_debit' }] })
  expect(cleared).toBe('The next direct-debit-payin ends as usual, and not failed_direct_debit\n')
  expect(none).toBe('Nothing was chosen for the next payments\n')
})

test('play without --outcome uses the outcome of next-outcome', async () => {
  await printed('next-outcome realtime-payout cancelled')

  expect(await printed('play realtime-payout')).toContain('realtime-payout of AUD 125.00 to cancelled')
  expect(await printed('next-outcome')).toContain('Every payment has the usual outcome')
})

test('payments kinds lists the kinds with their outcomes and forms', async () => {
  const rows = (await printed('payments kinds')).split('\n').map((row) => row.split(/ {2,}/))

  expect(rows).toContainEqual([
    'npp-payin',
    'successful',
    'pay-id, crn, virtual-account',
    'A wallet is paid by NPP.',
  ])
  expect(rows).toContainEqual([
    'realtime-payout',
    'successful, cancelled',
    expect.stringContaining('A payout'),
  ])
})
