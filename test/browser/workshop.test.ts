/** @module-tag chromium */

import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pressUntil, serveDashboard } from '../support/dashboard.ts'
import { useDashboard } from '../support/dashboard-tests.ts'

const { bench, openLive } = useDashboard({
  serve: serveDashboard,
  restore: (served) => served.bench('POST', '/reset', {}),
})

const cardOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const lineOf = (page: Page, name: string) => cardOf(page, name).locator('.terminal code').first()
const textOf = async (line: Locator) => (await line.textContent())?.trim()
const focusOf = (line: Locator) =>
  expect.poll(() => line.evaluate((element) => element.matches(':focus')), { timeout: 60_000 }).toBe(true)
const hashOf = (page: Page) => page.evaluate<string>('location.hash')

test('the workshop plays a payment with the selected values and shows the equivalent command', async () => {
  const page = await openLive('#/workshop')
  const card = cardOf(page, 'direct-debit-payin')

  await card.getByLabel('Ends').selectOption('failed_direct_debit')
  await card.getByLabel('Amount').fill('1200')
  await card.getByText('AUD 12.00').waitFor()

  const notified = await card.getByRole('list', { name: 'Notifies' }).textContent()
  const line = 'npx hookbench play direct-debit-payin --outcome failed_direct_debit --amount 1200'
  expect(await textOf(lineOf(page, 'direct-debit-payin'))).toBe(line)
  expect(notified).toContain('failed_direct_debit')
  await card.getByRole('button', { name: 'Play', exact: true }).click()
  await page.getByText('Played direct-debit-payin').waitFor()

  const { payments } = (await bench.bench('GET', '/payments')).body
  expect(payments).toMatchObject([
    { kind: 'direct-debit-payin', outcome: 'failed_direct_debit', amount: 1_200, pace: 'instant' },
  ])
  await card.getByText(`Step ${payments[0].steps} of ${payments[0].steps}`).waitFor()
  expect(await card.locator('li:not(.taken)').count()).toBe(0)
})

test('a user can play a payment step by step with only the keyboard', async () => {
  const page = await openLive('#/workshop')
  const card = cardOf(page, 'direct-credit-payout')
  await card.waitFor()
  const step = (number: number) => card.getByText(`Step ${number} of 3`)

  await pressUntil(page, 'j', async () => (await hashOf(page)).endsWith('/direct-credit-payout'))
  await focusOf(card)
  for (const key of ['Tab', 'Tab', 'Tab', 's', 'Tab']) await page.keyboard.press(key)
  await page.keyboard.press('Enter')
  await step(1).waitFor()
  await pressUntil(page, 'n', () => step(3).isVisible())

  expect((await bench.bench('GET', '/payments')).body.payments).toMatchObject([
    { kind: 'direct-credit-payout', pace: 'stepwise', step: 3 },
  ])
})

test('a user can play a payment step by step with the mouse, and the page shows the equivalent command', async () => {
  const page = await openLive('#/workshop')
  const card = cardOf(page, 'bpay-payout')
  await card.getByLabel('Pace').selectOption('stepwise')
  await card.getByRole('button', { name: 'Play', exact: true }).click()
  await card.getByText('Step 1 of 2').waitFor()
  const [payment] = (await bench.bench('GET', '/payments')).body.payments
  await card.getByText(`npx hookbench next ${payment.id.slice(0, 8)}`).waitFor()
  const lit = await card.locator('li.taken').count()

  await card.getByRole('button', { name: 'Next step of bpay-payout' }).click()
  await card.getByText('Step 2 of 2').waitFor()

  expect([lit, await card.locator('li.taken').count()]).toEqual([1, 2])
})

test('each payment kind has its own URL, and the Enter key plays a payment of this kind', async () => {
  const page = await openLive('#/workshop/payments/bpay-payout')

  await focusOf(cardOf(page, 'bpay-payout'))
  await page.keyboard.press('Enter')
  await page.getByText('Played bpay-payout').waitFor()

  expect((await bench.bench('GET', '/payments')).body.payments[0]).toMatchObject({ kind: 'bpay-payout' })
})

test('a switch adds and removes a fault, and the fault card shows the effect of the fault', async () => {
  await bench.register('items')
  const { length } = bench.received
  const page = await openLive('#/workshop/faults')
  const card = cardOf(page, 'delivery duplicate')
  const toggle = card.getByRole('switch', { name: 'delivery duplicate' })
  await card.getByLabel('copies').fill('2')
  await card.getByLabel('only').fill('object_type=items')
  const line = await textOf(lineOf(page, 'delivery duplicate'))

  await toggle.click()
  await page.getByRole('link', { name: '1 fault', exact: true }).waitFor()
  await bench.bench('POST', '/objects/items', {})
  await bench.bench('POST', '/settle', {})
  await card.getByText('Applied 1 time, to object_type=items').waitFor()

  expect(line).toBe('npx hookbench faults add delivery duplicate --match object_type=items --copies 2')
  expect(bench.received.length - length).toBe(3)
  expect(await toggle.getAttribute('aria-checked')).toBe('true')
  const [{ id }] = (await bench.bench('GET', '/faults')).body.faults
  expect(await textOf(lineOf(page, 'delivery duplicate'))).toBe(`npx hookbench faults remove ${id}`)
  await toggle.click()
  await page.getByRole('link', { name: 'No faults' }).waitFor()
  expect((await bench.bench('GET', '/faults')).body.faults).toEqual([])
})

test('the fault counter in the top bar links to the card of an active fault', async () => {
  const page = await openLive('#/workshop/faults')
  const last = page.locator('.card').last()
  const name = (await last.getAttribute('aria-label')) ?? ''
  const [on = '', kind = ''] = name.split(' ')
  await bench.bench('POST', '/faults', { on, kind })

  await page.getByRole('link', { name: '1 fault', exact: true }).click()

  await focusOf(cardOf(page, name))
  expect(await hashOf(page)).toBe(`#/workshop/faults/${encodeURIComponent(name)}`)
})

test('a user can add a fault with only the keyboard', async () => {
  const page = await openLive('#/workshop/faults')
  await cardOf(page, 'delivery concurrent-duplicate').waitFor()
  const kind = 'delivery%20concurrent-duplicate'

  await pressUntil(page, 'j', async () => (await hashOf(page)).endsWith(kind))
  await focusOf(cardOf(page, 'delivery concurrent-duplicate'))
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: '1 fault', exact: true }).waitFor()

  expect((await bench.bench('GET', '/faults')).body.faults).toMatchObject([
    { on: 'delivery', kind: 'concurrent-duplicate', times: null },
  ])
})

test('the fault form does not add a fault when a required field is empty', async () => {
  const page = await openLive('#/workshop/faults')
  const card = cardOf(page, 'delivery modified-body')

  await card.getByRole('switch').click()
  await focusOf(card.getByLabel('set'))
  const before = (await bench.bench('GET', '/faults')).body.faults
  await card.getByLabel('set').fill('/items/name=altered')
  await card.getByRole('switch').click()
  await card.getByText('Applied 0 times, to everything').waitFor()

  expect(before).toEqual([])
  expect((await bench.bench('GET', '/faults')).body.faults).toMatchObject([
    { kind: 'modified-body', settings: { set: { '/items/name': 'altered' } } },
  ])
})

test('a user can change a reading with only the keyboard, and the page shows the equivalent command', async () => {
  const page = await openLive('#/workshop/readings')
  const card = cardOf(page, 'retry-body')
  const chosen = async () => {
    const { readings } = (await bench.bench('GET', '/readings')).body
    return readings.find(({ id }: { id: string }) => id === 'retry-body').value
  }
  await card.getByRole('radio', { name: /^snapshot/ }).focus()

  await page.keyboard.press('ArrowDown')

  await page.getByText('retry-body is current from now on').waitFor()
  await card.getByText('changed', { exact: true }).waitFor()
  expect(await textOf(lineOf(page, 'retry-body'))).toBe('npx hookbench readings set retry-body current')
  expect(await chosen()).toBe('current')
})

test('the readings screen sets a duration and rejects an invalid duration with the expected format', async () => {
  const page = await openLive('#/workshop/readings/delivery-deadline')
  const field = cardOf(page, 'delivery-deadline').getByRole('textbox')

  await field.fill('soon')
  await page.keyboard.press('Enter')
  await page.getByText('the value must be a duration such as 200ms, 10s or 5m').waitFor()
  await field.fill('4s')
  await page.keyboard.press('Enter')

  await page.getByText('delivery-deadline is 4s from now on').waitFor()
})

test('the payment sequence marks a notification that a reading excludes', async () => {
  const page = await openLive('#/workshop')
  const card = cardOf(page, 'realtime-payout')
  await card.waitFor()
  expect(await card.locator('.chip.off').count()).toBe(0)

  await bench.bench('PATCH', '/readings', { 'realtime-payout-sequence': 'final-only' })

  await card.getByText('only with realtime-payout-sequence=with-processing').waitFor()
})

test('the workshop is read-only when the history shows an earlier time', async () => {
  await bench.bench('PATCH', '/readings', { 'retry-body': 'current' })
  await bench.bench('POST', '/clock/advance', { by: '10m' })
  const before = new Date(Date.parse((await bench.bench('GET', '/clock')).body.now) - 300_000).toISOString()
  await bench.bench('PATCH', '/readings', { 'retry-body': 'snapshot' })
  const page = await openLive(`#/workshop/readings?at=${before}`)
  const chosen = cardOf(page, 'retry-body').getByRole('radio', { checked: true })

  await page.getByText('read-only').waitFor()
  await cardOf(page, 'retry-body').getByText('changed', { exact: true }).waitFor()

  expect(await chosen.isDisabled()).toBe(true)
  await page.getByRole('link', { name: 'Faults', exact: true }).click()
  expect(await cardOf(page, 'delivery drop').getByRole('switch').isDisabled()).toBe(true)
})

test('the workshop names the missing package when the sandbox has no checks', async () => {
  const page = await openLive('#/workshop/checks')

  await page.getByText('this sandbox has no checks: use the sandbox that "npx hookbench up" starts').waitFor()
})
