/** @module-tag chromium */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { serveDashboard } from '../support/dashboard.ts'
import { useDashboard } from '../support/dashboard-tests.ts'

const { bench, openLive } = useDashboard({
  serve: serveDashboard,
  restore: (served) => served.bench('POST', '/reset', {}),
})

async function open(route?: string): Promise<Page> {
  const page = await openLive(route)
  await expect.poll(() => rewindButton(page).isEnabled()).toBe(true)
  return page
}

/**
 * Creates an item. The delivery of the item's notification fails at first and succeeds after five minutes. The item changes after
 * ten minutes.
 */
async function live() {
  await bench.register('items')
  await bench.bench('POST', '/clock/advance', { by: '5m' })
  bench.answer(() => 503)
  const { id } = (await bench.bench('POST', '/objects/items', { state: 'pending' })).body
  await bench.bench('POST', '/settle', {})
  bench.answer(() => 204)
  await bench.bench('POST', '/clock/advance', { by: '5m' })
  await bench.bench('POST', '/settle', {})
  await bench.bench('POST', '/clock/advance', { by: '5m' })
  await bench.bench('POST', `/objects/items/${id}/transitions`, { to: 'completed' })
  await bench.bench('POST', '/settle', {})
  const { jobs } = (await bench.bench('GET', '/jobs')).body
  const { instants } = (await bench.bench('GET', '/history?steps=100')).body
  return { id, jobId: String(jobs[0].id), instants, made: String(jobs[0].created_at) }
}

const rewindButton = (page: Page) => page.getByRole('button', { name: 'Rewind' })
const slider = (page: Page) => page.getByRole('slider', { name: 'Instant' })
const row = (page: Page, name: string) => {
  const [, id = '', state = ''] = name.split(' ')
  return page
    .getByRole('row')
    .filter({ hasText: id.slice(0, 8) })
    .filter({ hasText: state })
}
const shown = (instant: string) => instant.replace('T', ' ').replace('Z', '')

test('the history slider can show the time before the first delivery, and a button returns to the present', async () => {
  const { id } = await live()
  const page = await open()
  await row(page, `items ${id}`).first().waitFor()

  await page.getByRole('button', { name: 'Rewind' }).click()
  await page.getByText('As it was at').waitFor()
  await page.locator('input[max="0"]').waitFor({ state: 'detached' })
  const { width = 0, height = 0 } = (await slider(page).boundingBox()) ?? {}
  await slider(page).click({ position: { x: 8, y: height / 2 } })
  await page.getByText('No notification had been sent by then').waitFor()
  await slider(page).click({ position: { x: width - 8, y: height / 2 } })
  await row(page, `items ${id}`).first().waitFor()
  await page.getByRole('button', { name: 'Back to now' }).click()

  await slider(page).waitFor({ state: 'detached' })
  expect(new URL(page.url()).hash).toBe('#/')
})

test('an arrow key moves the history slider by one event, and Escape returns to the present', async () => {
  const { id, instants } = await live()
  const page = await open()
  await row(page, `items ${id}`).first().waitFor()

  await page.keyboard.press('h')
  const at = (instant: string) =>
    page.getByRole('slider', { name: 'Instant' }).and(page.locator(`[aria-valuetext="${shown(instant)}"]`))
  await page.locator(`input[max="${instants.length - 1}"]`).waitFor()
  await page.keyboard.press('Home')
  await at(instants[0]).waitFor()
  await page.keyboard.press('ArrowRight')
  await at(instants[1]).waitFor()
  await row(page, `items ${id} pending`)
    .getByText(/^503, retry in/)
    .waitFor()
  await page.keyboard.press('ArrowRight')
  await row(page, `items ${id} pending`).getByText('204 after 1 failure').waitFor()
  await page.keyboard.press('End')
  await row(page, `items ${id} completed`).waitFor()
  await page.keyboard.press('Escape')

  await slider(page).waitFor({ state: 'detached' })
  await row(page, `items ${id} completed`).waitFor()
})

test('a link opens an earlier state of an object read-only, and Back returns to the present', async () => {
  const { id, made } = await live()
  const page = await open(`#/world/items/${id}`)
  await page.getByRole('heading', { name: 'items completed' }).waitFor()

  await page.goto(`${bench.sandbox.benchUrl}/#/world/items/${id}?at=${made}`)
  await page.getByRole('heading', { name: 'items pending' }).waitFor()
  const moves = page.getByRole('group', { name: 'Move to' }).getByRole('button')
  const off = [
    await moves.count(),
    await moves.first().isDisabled(),
    await page.getByRole('button', { name: '+5m' }).isDisabled(),
  ]
  const why = await page.locator('fieldset[title]').first().getAttribute('title')
  await page.getByRole('link', { name: 'Activity' }).click()
  await row(page, `items ${id} pending`).waitFor()
  const past = page.url()
  await page.goBack()
  await page.goBack()

  await page.getByRole('heading', { name: 'items completed' }).waitFor()
  expect(off).toEqual([expect.any(Number), true, true])
  expect(why).toContain('You cannot change the past')
  expect(past).toContain(`#/?at=${made}`)
})

test('the delivery page shows only earlier attempts, or no delivery, when the history shows an earlier time', async () => {
  const { jobId } = await live()
  const page = await open(`#/jobs/${jobId}`)
  await page.getByRole('heading', { name: 'Attempt 2 ← 204' }).waitFor()

  await page.getByRole('region', { name: 'Compared with now' }).getByText('completed').first().waitFor()
  await page.getByTitle('Show the world at that time').last().click()
  await page.getByRole('heading', { name: 'Attempt 2 ← 204' }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Attempt 1 ← 503' }).waitFor()
  await page.getByText('The object has not changed since this notification').waitFor()
  await slider(page).press('Home')
  await page.getByText('The delivery did not exist yet').waitFor()
})

test('the page rejects changes and gives a reason when the history shows an earlier time', async () => {
  const { jobId, made } = await live()
  const page = await open(`#/jobs/${jobId}?at=${made}`)
  await page.getByRole('heading', { name: 'Attempt 1 ← 503' }).waitFor()

  await page.getByRole('heading', { name: 'Attempt 1 ← 503' }).click()
  await page.keyboard.press('r')

  await page.getByText(/^Cannot change anything at .*: the past is read-only/).waitFor()
  expect(await page.getByRole('button', { name: 'Resend' }).isDisabled()).toBe(true)
  expect((await bench.bench('GET', `/jobs/${jobId}`)).body.attempts).toHaveLength(2)
})

test('the page loads one listing at a time when the history slider moves fast', async () => {
  await live()
  for (let index = 0; index < 40; index++) {
    await bench.bench('POST', '/objects/items', {})
    await bench.bench('POST', '/clock/advance', { by: '1m' })
  }
  const page = await open()
  await page.locator('.row.job').first().waitFor()
  await page.keyboard.press('h')
  await page.locator('input[max="0"]').waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  let [asked, release] = [0, () => {}]
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/control\/timeline\?/, async (route) => {
    asked++
    await held
    await route.continue()
  })

  for (let step = 0; step < 30; step++) await page.keyboard.press('ArrowLeft')
  await expect.poll(() => asked).toBe(1)
  const under = asked
  release()
  await page.keyboard.press('Home')
  await page.getByText('No notification had been sent by then').waitFor()

  expect(under).toBe(1)
  expect(asked).toBeLessThan(10)
})

test('the page reports that rewinding is impossible when all events have the same timestamp', async () => {
  const page = await open()
  await page.route(/\/control\/history/, async (route) => {
    const response = await route.fetch()
    const history = await response.json()
    await route.fulfill({ response, json: { ...history, instants: [history.ends_at] } })
  })

  await page.keyboard.press('h')

  await page.getByText('all entries are at one instant').waitFor()
})

test('rewinding is disabled until the page has loaded the sandbox time', async () => {
  await live()
  const page = await open()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/control\/clock$/, async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await page.getByText('Live', { exact: true }).waitFor()

  await page.keyboard.press('h')
  const before = [
    await rewindButton(page).isDisabled(),
    new URL(page.url()).hash,
    await page.getByRole('group', { name: 'Clock' }).getByRole('time').textContent(),
  ]
  release()
  await rewindButton(page).click()

  await slider(page).waitFor()
  expect(before).toEqual([true, '#/', '…'])
})

test('a reset of the sandbox returns the page to the present with a notice', async () => {
  const { made } = await live()
  const page = await open(`#/?at=${made}`)
  await slider(page).waitFor()

  await bench.bench('POST', '/reset', {})

  await page.getByText('Back to now, because the sandbox was reset or restored').waitFor()
  await slider(page).waitFor({ state: 'detached' })
})

test('the history view is accessible in light and dark mode', async () => {
  const { id, jobId, made } = await live()
  for (const route of ['#/', `#/activity/${jobId}`, `#/jobs/${jobId}`, '#/world', `#/world/items/${id}`]) {
    const page = await open(`${route}?at=${made}`)
    await slider(page).waitFor()
    await page
      .locator(`text=${id.slice(0, 8)}`)
      .first()
      .waitFor({ state: 'attached' })

    expect(await findAxeProblems(page)).toEqual([])
    await page.context().close()
  }
})
