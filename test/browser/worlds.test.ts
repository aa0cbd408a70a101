/** @module-tag chromium */

import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { readCopied } from '../support/dashboard-page.ts'
import { serveDashboard } from '../support/dashboard.ts'
import { useDashboard } from '../support/dashboard-tests.ts'
import { addWorld, type WorldClient } from '../support/world-client.ts'

let anna: WorldClient

const { bench, open, openEmpty } = useDashboard({
  serve: serveDashboard,
  async restore(served) {
    await served.bench('DELETE', '/worlds/anna')
    await served.bench('POST', '/reset', {})
  },
})

beforeEach(async () => {
  anna = await addWorld(bench, { name: 'anna', speed: 0 })
})

const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
const addressOf = (page: Page) => page.url().replace(bench.sandbox.benchUrl, '')
const worldButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `World ${name}`, exact: true })
const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id.slice(0, 8) })

async function sendItem(
  control: WorldClient['control'],
): Promise<{ readonly id: string; readonly jobId: string }> {
  const url = bench.urlFor('webhooks', 'items')
  await control('POST', '/registrations', { generation: 'webhooks', object_type: 'items', url })
  const { id } = (await control('POST', '/objects/items', {})).body
  await control('POST', '/settle', {})
  return { id, jobId: (await control('GET', `/jobs?object_id=${id}`)).body.jobs[0].id }
}

test('the page shows a world switcher when a second world is added', async () => {
  await bench.bench('DELETE', '/worlds/anna')
  const page = await open()
  await isLive(page)
  const listed = page.waitForResponse(/control\/worlds$/)
  await page.keyboard.press('?')
  await listed
  const before = await worldButton(page, 'default').count()
  await page.keyboard.press('Escape')

  await addWorld(bench, { name: 'anna' })
  await page.evaluate('dispatchEvent(new Event("focus"))')

  await worldButton(page, 'default').waitFor()
  expect(before).toBe(0)
})

test('a user can select another world with the keyboard, and Back and Reload keep this world in the URL', async () => {
  const item = await sendItem(anna.control)
  const page = await open()
  await page.getByText('No notification was sent yet').waitFor()

  await worldButton(page, 'default').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await worldButton(page, 'anna').waitFor()
  await rowOf(page, item.id).waitFor()
  const chosen = [addressOf(page), await page.title()]
  await page.goBack()
  await page.getByText('No notification was sent yet').waitFor()
  const before = addressOf(page)
  await page.goForward()
  await page.reload()
  await rowOf(page, item.id).waitFor()

  expect([chosen, before, addressOf(page)]).toEqual([
    ['/?world=anna#/', 'Hookbench: anna'],
    '/#/',
    '/?world=anna#/',
  ])
})

test('a URL that names a world opens this world, and the links on the page lead to the same world', async () => {
  const { jobId } = await sendItem(anna.control)
  const page = await open(`?world=anna#/jobs/${jobId}`)
  await page.getByRole('heading', { name: 'Attempt 1 ← 204' }).waitFor()

  await page.getByRole('link', { name: 'Workshop', exact: true }).click()
  await page.getByRole('heading', { name: 'card-payin', exact: true }).waitFor()
  const workshop = addressOf(page)
  await worldButton(page, 'anna').click()
  await page.getByRole('link', { name: 'default' }).click()
  await worldButton(page, 'default').waitFor()

  expect([workshop, addressOf(page)]).toEqual(['/?world=anna#/workshop', '/#/workshop'])
})

test('a dashboard page receives only the events of its own world', async () => {
  const [page, other] = [await open('?world=anna#/'), await open()]
  await Promise.all([isLive(page), isLive(other)])

  const { id } = await sendItem(anna.control)
  await rowOf(page, id).waitFor()
  await bench.bench('POST', '/faults', { on: 'delivery', kind: 'drop' })
  await other.getByRole('link', { name: '1 fault' }).waitFor()

  expect([await rowOf(other, id).count(), await page.getByText('No faults').count()]).toEqual([0, 1])
  await bench.bench('DELETE', '/faults')
})

test('copied links and commands include the name of the world', async () => {
  const { jobId } = await sendItem(anna.control)
  const page = await open(`?world=anna#/jobs/${jobId}`)
  await page.getByRole('heading', { name: 'Attempt 1 ← 204' }).waitFor()

  const copied: string[] = []
  for (const name of ['link', 'hookbench']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByText(`Copied as ${name}`).waitFor()
    copied.push(await readCopied(page))
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('advance 25m')
  await page.keyboard.press('Enter')
  const line = await page.getByLabel('In a terminal').textContent()

  expect(copied).toEqual([
    `${bench.sandbox.benchUrl}/?world=anna#/jobs/${jobId}`,
    `npx hookbench deliver --world anna --job ${jobId}`,
  ])
  expect(line).toBe('npx hookbench advance 25m --world anna')
})

test('dashboard commands add and remove worlds', async () => {
  const page = await open('?world=anna#/')
  await isLive(page)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('worlds add bert')
  await page.keyboard.press('Enter')
  const added = await page.getByLabel('In a terminal').textContent()
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByLabel('Reply').getByText('"control_token"').waitFor()
  await page.keyboard.press('Escape')
  await worldButton(page, 'anna').click()
  await page.getByRole('link', { name: 'bert' }).click()
  await worldButton(page, 'bert').waitFor()
  await isLive(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('worlds remove bert')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('heading', { name: 'The sandbox has no world "bert"' }).waitFor()

  expect(added).toBe('npx hookbench worlds add bert')
})

test('the page of a removed world reports the removal and links to the default world', async () => {
  const page = await open('?world=anna#/')
  await isLive(page)

  await bench.bench('DELETE', '/worlds/anna')
  await page.getByRole('heading', { name: 'The sandbox has no world "anna"' }).waitFor()
  expect(await findAxeProblems(page)).toEqual([])
  await page.getByRole('link', { name: 'Go to the default world' }).click()
  await isLive(page)

  expect(addressOf(page)).toBe('/')
})

test('the page opened with the token of a world shows only this world and no world switcher', async () => {
  const page = await openEmpty()
  const { id } = await sendItem(anna.control)

  await page.goto(`${bench.sandbox.benchUrl}/#token=${anna.access.control_token}`)
  await rowOf(page, id).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('advance 25m')
  await page.keyboard.press('Enter')
  const line = await page.getByLabel('In a terminal').textContent()
  const switches = await page.getByRole('button', { name: /^World/ }).count()
  await page.goto(`${bench.sandbox.benchUrl}/?world=other#/`)
  await page.getByText('The sandbox rejected this token').waitFor()

  expect([line, switches]).toEqual(['npx hookbench advance 25m --world anna', 0])
})

test('Escape closes only the world list, and the world list is accessible in light and dark mode', async () => {
  const { jobId } = await sendItem(anna.control)
  const page = await open(`?world=anna#/activity/${jobId}`)
  await page.getByRole('heading', { name: 'Attempt 1 ← 204' }).waitFor()

  await worldButton(page, 'anna').click()
  await page.getByRole('link', { name: 'default' }).waitFor()
  expect(await findAxeProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'default' }).waitFor({ state: 'hidden' })

  expect(await page.getByRole('complementary', { name: 'Delivery' }).count()).toBe(1)
})
