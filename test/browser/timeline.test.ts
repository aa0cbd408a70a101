/** @module-tag chromium */

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { openChromium } from '../support/chromium.ts'
import { serveDashboard, type DashboardBench } from '../support/dashboard.ts'

let browser: Browser
let bench: DashboardBench
const pages: Page[] = []

/** Far more than any picture needs, so that a busy machine fails none. */
const PATIENCE_MS = 30_000

beforeAll(async () => {
  ;[browser, bench] = await Promise.all([openChromium(), serveDashboard()])
  await bench.register('items', 'transactions', 'batch_transactions')
})

afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close()
})

afterAll(async () => {
  await browser.close()
  await bench.close()
})

async function open(options: Parameters<DashboardBench['open']>[1] = {}): Promise<Page> {
  const page = await bench.open(browser, { viewport: { width: 1_280, height: 800 }, ...options })
  pages.push(page)
  await page.getByText('Live', { exact: true }).waitFor()
  return page
}

const row = (page: Page, name: string) => page.getByRole('row', { name })

async function createItem(fields: object = {}): Promise<string> {
  return (await bench.bench('POST', '/objects/items', fields)).body.id
}

test('a payment shows at once, with its objects and what became of each', async () => {
  const page = await open()
  bench.answer(({ object_type }) => (object_type === 'transactions' ? 503 : 204))

  const { body: payment } = await bench.bench('POST', '/payments', { kind: 'card-payin' })

  await page.getByText('card-payin', { exact: true }).waitFor()
  const failed: { object_type: string; id: string } = payment.objects.find(
    ({ object_type }: { object_type: string }) => object_type === 'transactions',
  )
  await row(page, `transactions ${failed.id}`).getByText('failed, http_503').waitFor()
  expect(await page.locator('.mark.failed').count()).toBeGreaterThan(0)
  expect(await page.locator('.mark.due').count()).toBeGreaterThan(0)
  bench.answer(() => 204)
  // Nothing is due any more for the tests that follow.
  await bench.bench('POST', '/clock/advance', { by: '5m' })
})

test('the button for the next attempt makes it, and the row shows it', async () => {
  const page = await open()
  bench.answer(() => 503)
  const id = await createItem()
  await row(page, `items ${id}`).getByText('failed, http_503').waitFor()
  bench.answer(() => 204)

  await page.getByRole('button', { name: 'Next attempt' }).click()

  await row(page, `items ${id}`).getByText('delivered, 204').waitFor()
})

test("a call of the receiver is a tick on its object's row", async () => {
  const page = await open()
  const id = await createItem()
  await row(page, `items ${id}`).waitFor()
  const before = await page.locator('.mark.call').count()

  await bench.service('GET', `/items/${id}`)

  await page.locator('.mark.call').nth(before).waitFor({ state: 'attached' })
})

test('j, k and Enter go through the rows and open a delivery, r sends it again, and Escape closes it', async () => {
  bench.answer(() => 503)
  const id = await createItem()
  const page = await open()
  await row(page, `items ${id}`).waitFor()

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

test('a click on a row opens its delivery, and the address leads there again', async () => {
  const id = await createItem({ name: 'A table of oak' })
  const page = await open()
  await page.locator('.line', { hasText: id.slice(0, 8) }).click()
  await page.getByLabel('Body sent by attempt 1').getByText('A table of oak').waitFor()
  const { hash } = new URL(page.url())

  const again = await open({ route: hash })
  await again.getByLabel('Body sent by attempt 1').getByText('A table of oak').waitFor()
  await page.goBack()

  await page.getByRole('complementary', { name: 'Delivery' }).waitFor({ state: 'detached' })
  expect(hash).toMatch(/^#\/timeline\/./)
})

test('the same rows are an inbox, and a search keeps what has its words', async () => {
  const id = await createItem()
  const page = await open()

  await page.getByRole('button', { name: 'Inbox' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type(`items ${id.slice(0, 8)}`)
  await page.keyboard.press('Enter')

  await row(page, `items ${id}`).waitFor()
  expect(await page.locator('.line.mail').count()).toBe(1)
  await page.keyboard.press('/')
  await page.keyboard.type(' nothing')
  await page.getByText('Nothing of what was sent has these words').waitFor()
})

test('zooming draws another span of time, and fit comes back', async () => {
  await createItem()
  const page = await open()
  await page.locator('.line').first().waitFor()
  const labels = () => page.locator('.axis text').allTextContents()
  const before = await labels()

  await page.keyboard.press('+')
  await expect.poll(labels, { timeout: PATIENCE_MS }).not.toEqual(before)
  await page.keyboard.press('0')

  await expect.poll(labels, { timeout: PATIENCE_MS }).toEqual(before)
})

test('a sandbox that comes back is followed on, and what happened meanwhile is there', async () => {
  const page = await open()
  await bench.restart()
  await page.getByText('Cut off', { exact: true }).waitFor()

  const id = await createItem()

  await page.getByText('Live', { exact: true }).waitFor()
  await row(page, `items ${id}`).waitFor()
})

test('only what is in sight is in the page, and the last row comes into it by scrolling', async () => {
  const [oldest] = await Promise.all(Array.from({ length: 300 }, () => createItem()))
  const page = await open({ viewport: { width: 1_280, height: 2_000 } })
  await page.locator('table[aria-rowcount]').waitFor({ state: 'attached' })
  await page.locator('.line').nth(80).waitFor({ state: 'attached' })
  const counts = [await page.locator('.line, tbody tr').count()]

  // Rows may still come in, and move the end on.
  await expect
    .poll(
      async () => {
        await page.evaluate("document.querySelector('.scroller').scrollTop = 1e9")
        return page.getByText('card-payin', { exact: true }).isVisible()
      },
      { timeout: 300_000 },
    )
    .toBe(true)
  counts.push(await page.locator('.line, tbody tr').count())

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

test('payloads and answers are text, whatever they hold', async () => {
  for (const name of HOSTILE) await createItem({ name, description: name })
  await bench.bench('POST', '/objects/items', { id: `<b id=owned>${HOSTILE[0]}`, name: 'x' })
  const page = await open()
  await page.locator('.line').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  for (let index = 0; index <= HOSTILE.length; index++) {
    await page.getByRole('heading', { name: /^Attempt 1/ }).waitFor()
    await page.keyboard.press('j')
  }

  expect(await page.title()).toBe('Hookbench')
  expect(await page.locator('#owned, img, svg[onload]').count()).toBe(0)
})

test('the timeline, the inbox and a delivery are accessible in light and dark', async () => {
  await createItem()
  const page = await open()
  await page.locator('.line').first().waitFor()
  const timeline = await findAxeProblems(page)
  await page.keyboard.press('i')
  await page.locator('.line.mail').first().waitFor()
  const inbox = await findAxeProblems(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Attempt 1/ }).waitFor()

  expect([...timeline, ...inbox, ...(await findAxeProblems(page))]).toEqual([])
})

test('nothing of this broke the policy or called elsewhere', () => {
  expect(bench.misdeeds).toEqual([])
})
