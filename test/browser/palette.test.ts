/** @module-tag chromium */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { serveDashboard } from '../support/dashboard.ts'
import { useDashboard } from '../support/dashboard-tests.ts'

const { bench, open, openLive } = useDashboard({ serve: serveDashboard })

const commands = (page: Page) => page.getByRole('listbox', { name: 'Commands' }).getByRole('option')

async function openPalette(): Promise<Page> {
  const page = await openLive()
  await page.keyboard.press('Control+k')
  await commands(page).first().waitFor()
  return page
}

test('the command palette opens with Ctrl-K, finds a command by a few letters, and runs the command', async () => {
  const page = await openPalette()
  const { now } = (await bench.bench('GET', '/clock')).body

  await page.keyboard.type('adv')
  await page.keyboard.press('Enter')
  await page.getByLabel('by needed').fill('25m')

  expect(await page.getByLabel('In a terminal').textContent()).toBe('npx hookbench advance 25m')
  await page.keyboard.press('Enter')
  await page.getByText('Done: advance').waitFor()
  const after = (await bench.bench('GET', '/clock')).body.now
  expect(Date.parse(after) - Date.parse(now)).toBe(1_500_000)
})

test('the command palette runs a command when Enter is pressed before the commands are loaded', async () => {
  const page = await openLive()
  const { promise: pressed, resolve: press } = Promise.withResolvers<void>()
  await page.route('**/assets/*commands*.js', async (route) => {
    await pressed
    await route.continue()
  })

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('advance 25m')
  await page.keyboard.press('Enter')
  press()

  await page.getByLabel('In a terminal').waitFor()
  expect(await page.getByLabel('In a terminal').textContent()).toBe('npx hookbench advance 25m')
})

test('the command palette includes a non-default data folder in the command line', async () => {
  const page = await open()
  await page.route('**/control/sandbox', (route) =>
    route.fulfill({ json: { service_url: 'http://127.0.0.1:4010', data_folder: '.hookbench-demo' } }),
  )
  await page.reload()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await commands(page).first().waitFor()

  await page.keyboard.type('jobs')
  await page.keyboard.press('Enter')

  await page
    .getByLabel('In a terminal')
    .filter({ hasText: /^npx hookbench jobs --data \.hookbench-demo$/ })
    .waitFor()
})

test('the command palette lists commands for the selected delivery first and terminal commands last', async () => {
  await bench.register('items')
  await bench.bench('POST', '/objects/items', {})
  const page = await open()
  await page.locator('.row.job').first().waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('Control+k')
  await commands(page).first().waitFor()
  const names = await commands(page).allTextContents()
  await page.keyboard.press('Enter')

  expect([names[0], names.at(-1)]).toEqual([
    expect.stringMatching(/^(job|resend) /),
    expect.stringMatching(/terminal$/),
  ])
  expect(await page.getByLabel('In a terminal').textContent()).toMatch(
    /^npx hookbench (job|resend) [\w-]{36}$/,
  )
})

test('the command palette runs a typed command with arguments and shows the result of a list command', async () => {
  const page = await openPalette()

  await page.keyboard.type('npx hookbench clock')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Run' }).click()

  expect(await page.getByLabel('Reply').textContent()).toContain('"mode": "manual"')
})

test('the command palette shows the command line but no run button for a terminal-only command', async () => {
  const page = await openPalette()

  await commands(page)
    .filter({ hasText: /^cert / })
    .click()
  await page.getByLabel('hosts needed').fill('localhost')

  expect(await page.getByLabel('In a terminal').textContent()).toBe('npx hookbench cert localhost')
  expect(await page.getByRole('button', { name: 'Run' }).count()).toBe(0)
  await page.getByText('runs only in a terminal').waitFor()
})

test('the command palette shows the error and the fix when a command is rejected', async () => {
  const page = await openPalette()

  await page.keyboard.type('resend nothing-of-the-kind')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Run' }).click()

  await page.getByText('Cannot find job "nothing-of-the-kind"').waitFor()
  await page.getByText('npx hookbench jobs').waitFor()
})

test('the key f opens the list of faults on any screen', async () => {
  const page = await open('#/world')
  await page.getByRole('link', { name: 'No faults' }).waitFor()

  await page.keyboard.press('f')

  await page.getByText('as a sender does if the response gets lost').waitFor()
})

test('the command palette is accessible in light and dark mode', async () => {
  const page = await openPalette()
  const list = await findAxeProblems(page)
  await page.keyboard.type('faults add')
  await page.keyboard.press('Enter')
  await page.getByLabel('In a terminal').waitFor()

  expect([...list, ...(await findAxeProblems(page))]).toEqual([])
})
