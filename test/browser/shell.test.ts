/** @module-tag chromium */

import { expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { serveDashboard } from '../support/dashboard.ts'
import { useDashboard } from '../support/dashboard-tests.ts'

const PATIENCE = { timeout: 30_000 }

const { bench, open, openLive, openEmpty } = useDashboard({ serve: serveDashboard })

test('the page removes the token from the URL and connects to the sandbox', async () => {
  const page = await open()

  await page.getByText('Live', { exact: true }).waitFor()

  expect(page.url()).toBe(`${bench.sandbox.benchUrl}/#/`)
  expect(await page.evaluate('history.length')).toBe(2)
})

test('the page accepts a new token when the URL of an open tab changes', async () => {
  const page = await open('#/nothing')

  await page.goto(`${bench.sandbox.benchUrl}/#token=wrong`)
  await page.getByText('The sandbox rejected this token').waitFor()
  const refused = page.url()
  await page.goto(`${bench.sandbox.benchUrl}/#token=${bench.token}`)
  await page.getByText('Live', { exact: true }).waitFor()

  expect([refused, page.url()]).toEqual([`${bench.sandbox.benchUrl}/#/`, `${bench.sandbox.benchUrl}/#/`])
})

test('the page asks for a token when the token is missing and reports a wrong token', async () => {
  const page = await openEmpty()
  await page.goto(bench.sandbox.benchUrl)

  await page.getByLabel('Token of the sandbox').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('The sandbox rejected this token').waitFor()
  await page.getByLabel('Token of the sandbox').fill(bench.token)
  await page.keyboard.press('Enter')

  await page.getByText('Live', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Live', { exact: true }).waitFor()
})

test('the dashboard is accessible in light and dark mode and at narrow and wide window sizes', async () => {
  const page = await openLive()
  await page.getByText('Why no notification is sent').click()
  await page.getByRole('list', { name: 'Findings' }).getByText('No notification is sent').waitFor()

  expect(await findAxeProblems(page)).toEqual([])
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  expect(await findAxeProblems(page)).toEqual([])
})

test('the top bar advances the clock, changes the clock mode and waits for due attempts', async () => {
  const page = await openLive()
  const { now } = (await bench.bench('GET', '/clock')).body

  await page.getByRole('button', { name: '+5m' }).click()
  await page.getByText('Moved the clock: no attempt was due').waitFor()
  const after = (await bench.bench('GET', '/clock')).body.now
  await page.getByRole('button', { name: 'Settle' }).click()
  await page.getByText('No work is due or in progress').waitFor()
  await page.getByLabel('Clock mode').selectOption('compressed')
  await page.getByRole('option', { name: '300×' }).waitFor({ state: 'attached' })
  const compressed = (await bench.bench('GET', '/clock')).body
  await bench.bench('PATCH', '/clock', { mode: 'manual' })

  expect(Date.parse(after) - Date.parse(now)).toBe(300_000)
  expect(compressed).toMatchObject({ mode: 'compressed', speed: 300 })
  await expect.poll(() => page.getByLabel('Clock mode').inputValue(), PATIENCE).toBe('manual')
})

test('keyboard shortcuts advance the clock and resend a delivery, and closing the shortcut list restores focus', async () => {
  const page = await openLive()

  await page.keyboard.press('a')
  await page.getByText('Moved the clock: no attempt was due').waitFor()
  await page.keyboard.press('r')
  await page.getByText('Select a delivery first').waitFor()
  await page.getByRole('button', { name: 'Rewind' }).focus()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await keys.getByText('move the clock to the next attempt').waitFor()
  await page.keyboard.press('?')
  await keys.waitFor({ state: 'detached' })

  expect(await page.evaluate('document.activeElement.textContent')).toBe('Rewind')
})

test('the current screen stays open when the user follows the skip link to the content', async () => {
  const page = await open('#/world')
  await page.getByRole('heading', { name: 'Registrations' }).waitFor()

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')

  await expect.poll(() => page.evaluate('document.activeElement.id'), PATIENCE).toBe('main')
  expect(new URL(page.url()).hash).toBe('#/world')
})

test('an unknown dashboard URL shows an error with a link to the activity screen', async () => {
  const page = await open('#/nothing/of/the/kind')

  await page.getByRole('link', { name: 'Go to the activity' }).click()

  await page.getByRole('heading', { name: 'No notification was sent yet' }).waitFor()
})

test('the empty dashboard offers to play a payment and to register a receiver', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Play a payment' }).waitFor()
  await page.getByText('Why no notification is sent').click()
  const findings = page.getByRole('list', { name: 'Findings' })
  await findings.getByText('No notification is sent, because no registration is enabled').waitFor()

  await page.getByRole('link', { name: 'Register your receiver' }).click()
  await expect.poll(() => page.evaluate('document.activeElement.inputMode'), PATIENCE).toBe('url')
  await page.keyboard.type(bench.urlFor('webhooks', 'items'))
  await page.keyboard.press('Enter')
  await page.getByText('Registered for items').waitFor()
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.getByRole('button', { name: 'Play a payment' }).click()

  const payments = page.getByRole('row').filter({ hasText: 'Card pay-in' })
  await payments.waitFor()
  await page.getByRole('button', { name: 'Play a payment' }).click()
  await payments.nth(1).waitFor()
  await bench.bench('POST', '/reset', {})
})

test('the token form is accessible in light and dark mode', async () => {
  const page = await openEmpty()
  await page.goto(bench.sandbox.benchUrl)
  await page.getByLabel('Token of the sandbox').waitFor()

  expect(await findAxeProblems(page)).toEqual([])
})
