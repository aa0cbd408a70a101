/** @module-tag chromium */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { serveDashboard } from '../support/dashboard.ts'
import { useDashboard } from '../support/dashboard-tests.ts'

const { bench, openLive } = useDashboard({
  serve: serveDashboard,
  prepare: ({ register }) => register('items', 'transactions', 'batch_transactions'),
})
const PATIENCE = { timeout: 30_000 }

const row = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id.slice(0, 8) })

const rows = (page: Page) => page.locator('.row.job')

async function createItem(fields: object = {}): Promise<string> {
  return (await bench.bench('POST', '/objects/items', fields)).body.id
}

test('the dashboard shows a new payment live with its amount, deliveries and results', async () => {
  const page = await openLive()
  bench.answer(({ object_type }) => (object_type === 'transactions' ? 503 : 204))

  const { body: payment } = await bench.bench('POST', '/payments', { kind: 'card-payin', amount: 12_500 })

  const heading = page.getByRole('row').filter({ hasText: 'Card pay-in' })
  await heading.getByText('AUD 125.00').waitFor()
  await heading.getByText(/^1 of \d failed$/).waitFor()
  const failed: { object_type: string; id: string } = payment.objects.find(
    ({ object_type }: { object_type: string }) => object_type === 'transactions',
  )
  await row(page, failed.id).getByText('503, retry in 5 min').waitFor()
  await row(page, failed.id)
    .getByText(/^\d+(\.\d)? ms$/)
    .waitFor()
  bench.answer(() => 204)
  await bench.bench('POST', '/clock/advance', { by: '5m' })
})

test('the dashboard shows the events of a payment in order with labelled time gaps and messages', async () => {
  const page = await openLive()
  bench.answer(({ object_type }) => (object_type === 'transactions' ? 503 : 204))
  const { body: payment } = await bench.bench('POST', '/payments', { kind: 'card-payin', amount: 7_700 })
  await bench.bench('POST', '/settle', {})
  bench.answer(() => 204)
  await bench.bench('POST', '/clock/advance', { by: '5m' })
  await bench.bench('POST', '/faults', { on: 'api', kind: 'status', status: 503, times: 1 })
  const called = payment.objects.find(({ object_type }: { object_type: string }) => object_type === 'items')
  await bench.service('GET', `/items/${called.id}`)

  await page.getByRole('row').filter({ hasText: 'AUD 77.00' }).click()

  const timeline = page.getByRole('group', { name: 'Timeline' })
  await timeline.getByText('5 min').waitFor()
  await timeline.getByRole('link', { name: /^transactions successful: 503 in / }).waitFor()
  await timeline.getByRole('link', { name: /^transactions successful: 204 in / }).waitFor()
  await timeline.locator('.failed-call').waitFor()
  expect(await timeline.locator('.retries').count()).toBe(1)
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await messages
    .filter({ hasText: 'The receiver calls Show item' })
    .getByText('503 by fault status')
    .waitFor()
  expect(await findAxeProblems(page)).toEqual([])
})

test('the button for the next attempt sends the attempt and updates the row', async () => {
  const page = await openLive()
  bench.answer(() => 503)
  const id = await createItem()
  await row(page, id)
    .getByText(/^503, retry in/)
    .waitFor()
  bench.answer(() => 204)

  await page.getByRole('button', { name: 'Next attempt' }).click()

  await row(page, id).getByText('204 after 1 failure').waitFor()
})

test('the row of a delivery shows a failed call back when a later call succeeds', async () => {
  const page = await openLive()
  const id = await createItem()
  await bench.bench('POST', '/faults', { on: 'api', kind: 'status', status: 503, times: 1 })

  await bench.service('GET', `/items/${id}`)
  await bench.service('GET', `/items/${id}`)

  await row(page, id).getByText('← 503 ×2').waitFor()
})

test('the dashboard lists a call from the receiver to the service in the row of the delivery that caused the call', async () => {
  const page = await openLive()
  const id = await createItem()
  await row(page, id).waitFor()
  await bench.service('GET', `/items/${id}`)
  await row(page, id).getByText('← 200').waitFor()

  await bench.bench('POST', '/clock/advance', { by: '1m' })
  await bench.bench('POST', `/objects/items/${id}/transitions`, { to: 'completed' })
  await row(page, id).filter({ hasText: 'completed' }).getByText('204 delivered').waitFor()

  expect(await row(page, id).getByText('← 200').count()).toBe(1)
  await bench.service('GET', `/items/${id}`)
  await row(page, id).filter({ hasText: 'completed' }).getByText('← 200').waitFor()
  expect(await row(page, id).getByText('← 200 ×2').count()).toBe(0)
})

test('the keys j and k select a delivery, Enter opens it, r resends it, and Escape closes it', async () => {
  bench.answer(() => 503)
  const id = await createItem()
  const page = await openLive()
  await row(page, id).waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Attempt 1 ← 503' }).waitFor()
  bench.answer(() => 204)
  const first = page.url()
  await page.keyboard.press('r')
  await page.getByRole('heading', { name: 'Attempt 2 ← 204' }).waitFor()
  await page.keyboard.press('j')
  await page.waitForURL((url) => url.href !== first)
  await page.keyboard.press('k')
  await page.waitForURL((url) => url.href === first)
  await page.keyboard.press('Escape')

  await page.getByRole('complementary', { name: 'Delivery' }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).hash).toBe('#/')
})

test('a click on a row opens the delivery at a separate URL', async () => {
  const id = await createItem({ name: 'A table of oak' })
  const page = await openLive()
  await page.locator('.row', { hasText: id.slice(0, 8) }).click()
  await page.getByLabel('Body that was sent').getByText('A table of oak').waitFor()
  const { hash } = new URL(page.url())

  const again = await openLive(hash)
  await again.getByLabel('Body that was sent').getByText('A table of oak').waitFor()
  await page.goBack()

  await page.getByRole('complementary', { name: 'Delivery' }).waitFor({ state: 'detached' })
  expect(hash).toMatch(/^#\/activity\/./)
})

test('a search finds words in rows, text in bodies and failed deliveries', async () => {
  bench.answer(() => 503)
  const id = await createItem({ name: 'A table of walnut' })
  const page = await openLive()
  await row(page, id).waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type(`items ${id.slice(0, 8)}`)
  await expect.poll(() => rows(page).count(), PATIENCE).toBe(1)
  await page.getByLabel('Search').fill('OF WALNUT')
  await row(page, id).waitFor()
  await expect.poll(() => rows(page).count(), PATIENCE).toBe(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('x')
  await row(page, id).waitFor()
  await page.getByLabel('Search').fill('nothing of the kind')
  await page.getByText('No delivery matches').waitFor()

  bench.answer(() => 204)
  await bench.bench('POST', '/clock/advance', { by: '5m' })
})

test('a manual delivery is listed with its body and response', async () => {
  const page = await openLive()

  const body = { url: bench.urlFor('webhooks', 'items'), raw: '{"by":"hand"}' }
  await bench.bench('POST', '/deliveries', body)
  await page.getByRole('row').filter({ hasText: 'Sent by hand' }).first().click()

  await page.getByRole('heading', { name: 'Delivery 1 ← 204' }).waitFor()
  expect(await page.getByLabel('Body that was sent').textContent()).toContain('"by": "hand"')
})

test('the dashboard lists and searches the requests of the platform and shows their details', async () => {
  const id = await createItem()
  await bench.service('GET', `/items/${id}?secret=one`)
  await bench.service('GET', '/items/unknown')
  const page = await openLive('#/requests')
  const requests = page.getByRole('table').getByRole('row')

  const call = requests.filter({ hasText: `GET /items/${id}?secret=***` })
  await call.getByText('200', { exact: true }).click()
  const details = page.getByRole('definition')
  await details.filter({ hasText: `items ${id}` }).waitFor()
  await details.filter({ hasText: /^\*\*\*$/ }).waitFor()
  const opened = await findAxeProblems(page)
  await call.getByRole('link').click()
  await details.first().waitFor({ state: 'detached' })
  await page.getByLabel('Failed only').check()
  await requests.filter({ hasText: id }).waitFor({ state: 'detached' })
  await requests.filter({ hasText: '/items/unknown' }).first().waitFor()
  const problems = await findAxeProblems(page)
  await page.getByLabel('Search requests').fill('nothing')

  await page.getByText('No request matches').waitFor()
  expect([...opened, ...problems]).toEqual([])
})

test('the page reconnects after an outage and shows the events that occurred during the outage', async () => {
  const page = await openLive()
  const { benchUrl, serviceUrl } = bench.sandbox
  const hasPorts = `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/control/sandbox'))`
  await expect.poll(() => page.evaluate(hasPorts)).toBe(true)
  await page.route('**/control/events*', (route) => route.abort())
  await bench.restart()
  await page.getByText('Offline', { exact: true }).waitFor()
  const command = await page.getByRole('alert').locator('code').textContent()

  const id = await createItem()
  await page.unroute('**/control/events*')

  await page.getByText('Live', { exact: true }).waitFor()
  await row(page, id).waitFor()
  expect(command).toContain(`up --port ${new URL(serviceUrl).port} --bench-port ${new URL(benchUrl).port}`)
})

test('the delivery list renders only visible rows, and scrolling reaches the last row', async () => {
  const [oldest] = await Promise.all(Array.from({ length: 300 }, () => createItem()))
  const page = await openLive('#/', { viewport: { width: 1_280, height: 2_000 } })
  await page.locator('.row').nth(50).waitFor({ state: 'attached' })
  const counts = [await page.locator('.row').count()]

  await expect
    .poll(
      async () => {
        await page.evaluate("document.querySelector('.scroller').scrollTop = 1e9")
        return page.getByText('AUD 125.00').isVisible()
      },
      { timeout: 300_000 },
    )
    .toBe(true)
  counts.push(await page.locator('.row').count())

  expect(oldest).toBeDefined()
  expect(Math.max(...counts)).toBeLessThanOrEqual(200)
})

const HOSTILE = [
  '<img src=x onerror="document.title=\'owned\'">',
  '<script>document.title="owned"</script>',
  '"><svg/onload=document.title="owned">',
  'javascript:document.title="owned"',
  '${document.title="owned"}',
  '\u202Eevil\u0000\u001B[31m',
  '</pre></body>',
]

test('the dashboard shows hostile payloads and responses as plain text', async () => {
  for (const name of HOSTILE) await createItem({ name, description: name })
  await bench.bench('POST', '/objects/items', { id: `<b id=owned>${HOSTILE[0]}`, name: 'x' })
  const page = await openLive()
  await rows(page).first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  for (let index = 0; index <= HOSTILE.length; index++) {
    await page.getByRole('heading', { name: /^Attempt 1/ }).waitFor()
    await page.keyboard.press('j')
  }

  expect(await page.title()).toBe('Hookbench')
  expect(await page.locator('#owned, img, svg[onload]').count()).toBe(0)
})

test('the delivery list and the delivery pane are accessible in light and dark mode', async () => {
  await createItem()
  const page = await openLive()
  await rows(page).first().waitFor()
  const list = await findAxeProblems(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Attempt 1/ }).waitFor()

  expect([...list, ...(await findAxeProblems(page))]).toEqual([])
})
