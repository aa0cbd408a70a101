/** @module-tag chromium */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { splitWords } from '../../sandbox/dashboard/palette/command-text.ts'
import { findAxeProblems } from '../support/axe.ts'
import { pressUntil } from '../support/dashboard.ts'
import { readCopied, serveWhatIf } from '../support/dashboard-page.ts'
import { useDashboard } from '../support/dashboard-tests.ts'

const PATIENCE_MS = 180_000

const { bench, openLive } = useDashboard({
  serve: serveWhatIf,
  prepare: ({ register }) => register('believes-the-last-word'),
})

async function open(...place: Parameters<typeof openLive>): Promise<Page> {
  const page = await openLive(...place)
  page.setDefaultTimeout(PATIENCE_MS)
  return page
}

const playPayout = () => bench.perform('playPayment', { body: { kind: 'bpay-payout', amount: 1_200 } })
const chips = (page: Page) =>
  page.getByRole('listbox', { name: 'Deliveries in the order of sending' }).getByRole('option')
const acts = (page: Page) => page.getByRole('toolbar', { name: /^Delivery of @/ })
const heading = (page: Page, text: string) => page.getByRole('heading', { name: text })
const command = async (page: Page) =>
  (await page.getByLabel('Command that repeats the order in a terminal').textContent()) ?? ''
const order = async (page: Page) => (await page.evaluate<string>('location.hash')).split('/')[4]

const shortest = (page: Page) =>
  page.getByLabel('Command that repeats the order in a terminal').filter({ hasText: /--order 2,1$/ })

const FAILED = '✗ Your receiver failed'
const PASSED = '✓ Your receiver passed'

async function press(page: Page, key: string): Promise<string | undefined> {
  await page.keyboard.press(key)
  return order(page)
}

async function openWhatIf(...place: Parameters<typeof openLive>): Promise<Page> {
  const page = await open(...place)
  await chips(page).first().waitFor()
  return page
}

test('a user can edit, play and shrink a failing delivery order and leave the what-if screen with only the keyboard', async () => {
  await playPayout()
  const page = await open('#/')
  await page.getByText('BPAY payout').first().waitFor()

  await pressUntil(page, 'j', () => page.locator('.row.cursor').isVisible())
  await pressUntil(page, 'w', async () => page.url().includes('#/what-if/'))
  await chips(page).first().waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.role')).toBe('option')
  await pressUntil(page, 'd', async () => (await order(page)) === '1-1-2')
  const orders: (string | undefined)[] = []
  for (const key of [
    'b',
    'l',
    'c',
    'x',
    'x',
    'c',
    'b',
    'Shift+ArrowRight',
    'Shift+ArrowRight',
    'Shift+ArrowLeft',
  ])
    orders.push(await press(page, key))
  for (const key of ['Shift+ArrowRight', 'l']) orders.push(await press(page, key))
  await page.keyboard.press('Enter')
  await heading(page, FAILED).waitFor()
  await expect.poll(() => command(page)).toMatch(/--order 1,2,1$/)
  await expect.poll(() => page.getByRole('button', { name: 'Shrink it' }).isEnabled()).toBe(true)
  await page.keyboard.press('s')
  await shortest(page).waitFor()

  expect(await order(page)).toBe('2-1')
  expect(orders).toEqual([
    '1b-1-2',
    '1bl-1-2',
    '1blc-1-2',
    '1xblc-1-2',
    '1blc-1-2',
    '1bl-1-2',
    '1l-1-2',
    '1-1l-2',
    '1-2-1l',
    '1-1l-2',
    '1-2-1l',
    '1-2-1',
  ])
  await heading(page, FAILED).waitFor()
  await expect.poll(() => command(page)).toMatch(/--order 2,1$/)
  await pressUntil(page, 'Escape', () => page.getByText('BPAY payout').first().isVisible())
})

test('the what-if screen shows the command line even if a run started before the command line was loaded', async () => {
  const page = await openWhatIf('#/what-if/bpay-payout/successful/1-2')
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/rehearsal-previews/, async (route) => {
    await released
    await route.continue()
  })

  await page.keyboard.press('d')
  await page.keyboard.press('x')
  await page.keyboard.press('Enter')
  await page.getByText(/^Sent \d of \d/).waitFor()
  release()
  await page.getByText(/^Sent \d of \d/).waitFor({ state: 'detached' })

  await expect.poll(() => command(page)).toMatch(/--order 1,1,2 --lose @1$/)
})

test('a user creates a failing order by dragging, and the command line of this order also fails in a terminal', async () => {
  const { objects } = await playPayout()
  const { object_type, id } = objects.at(-1) ?? { object_type: '', id: '' }
  const page = await open(`#/world/${object_type}/${id}`)
  await page.getByRole('button', { name: 'What if…' }).click()
  await chips(page).first().waitFor()

  await drag(page, { from: 1, to: 0 })
  const dragged = await order(page)
  await page.getByRole('button', { name: 'Play it' }).click()
  await heading(page, FAILED).waitFor()
  await page.getByRole('button', { name: 'hookbench' }).click()
  await page.getByText('Copied as hookbench').waitFor()
  const line = await readCopied(page)
  await page.getByRole('button', { name: 'vitest' }).click()
  await page.getByText('Copied as vitest').waitFor()
  const copiedTest = await readCopied(page)
  const problems = await findProblemsInAllLooks(page)
  await page.goBack()
  await page.getByRole('complementary', { name: 'Object' }).getByText(id).first().waitFor()

  expect([dragged, problems]).toEqual(['2-1', []])
  const [npx, name, ...args] = splitWords(line)
  const { code, stdout } = await bench.shop.run(...args)
  expect([npx, name, code]).toEqual(['npx', 'hookbench', 1])
  expect(stdout).toContain('✗ Your receiver failed')
  expect(copiedTest).toMatch(/rehearse\('hookbench.config.json', \{[^]*\{ number: 2 \},\n *\{ number: 1 \},/)
})

async function drag(page: Page, { from, to }: { readonly from: number; readonly to: number }): Promise<void> {
  const [start, end] = [await middleOf(chips(page).nth(from)), await middleOf(chips(page).nth(to))]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 5 })
  await page.mouse.up()
}

async function findProblemsInAllLooks(page: Page): Promise<readonly string[]> {
  const problems: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [400, 1_280]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      const needed = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (needed > width) problems.push(`it needs ${needed} pixels of ${width}`)
      problems.push(...(await findAxeProblems(page)))
    }
  }
  return problems
}

async function middleOf(element: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await element.boundingBox()) ?? {}
  return { x: x + width / 2, y: y + height / 2 }
}

test('a touch drag moves a delivery by its handle', async () => {
  const page = await openWhatIf('#/what-if/bpay-payout', {
    hasTouch: true,
    viewport: { width: 400, height: 800 },
  })
  const start = await middleOf(chips(page).nth(1).locator('.grip'))
  const end = await middleOf(chips(page).nth(0))
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })

  await touch('touchStart', start)
  await touch('touchMove', end)
  await touch('touchEnd')

  await expect.poll(() => order(page)).toBe('2-1')
})

test('the URL of a what-if order opens the order', async () => {
  const page = await openWhatIf('#/what-if/bpay-payout/successful/2-1x-1/3400')

  expect(await chips(page).allTextContents()).toEqual([
    expect.stringContaining('successful'),
    expect.stringMatching(/bank_processing.*comes twice.*is lost/),
    expect.stringMatching(/bank_processing.*comes twice/),
  ])
  await expect
    .poll(() => command(page))
    .toMatch(/--outcome successful --amount 3400 --order 2,1,1 --lose @2$/)
})

test('a correct receiver passes a what-if run when every option of a delivery is enabled', async () => {
  await bench.register()
  const page = await openWhatIf('#/what-if/bpay-payout/successful/2-1')
  const button = (name: string) => acts(page).getByRole('button', { name })
  for (const name of ['comes twice', 'loses its answer', 'arrives a day late', 'is also sent as a callback'])
    await button(name).click()
  await button('comes later').click()
  const pressed = await acts(page).getByRole('button', { pressed: true }).count()

  await page.keyboard.press('Enter')
  await heading(page, PASSED).waitFor()

  expect([pressed, await order(page)]).toEqual([4, '2-2blc-1'])
  expect(await page.getByRole('button', { name: 'Shrink it' }).isDisabled()).toBe(true)
  await page
    .getByText(/^@2 batch_transactions successful.*as a callback/)
    .first()
    .waitFor()
  await button('is lost').click()
  await page.getByText('This result is for an earlier order').waitFor()
})

test('the what-if screen names the missing setting when the receiver shows no effects', async () => {
  await bench.register()
  rmSync(join(bench.shop.folder, 'hookbench.config.json'))
  const page = await openWhatIf('#/what-if/bpay-payout')

  await page.getByRole('button', { name: 'Play it' }).click()
  await heading(page, '? No verdict, because the effects of your platform were not observed').waitFor()

  await page
    .getByRole('region', { name: 'Verdict' })
    .getByText('the configuration has no "effects". Set effects.http in hookbench.config.yaml')
    .waitFor()
  expect(await findAxeProblems(page)).toEqual([])
})

test('the what-if screen reports a missing registration or payment kind and continues after a registration', async () => {
  await bench.perform('resetSandbox')
  const page = await open('#/what-if/bpay-payout')

  await page.getByRole('alert').getByText('no receiver is registered').waitFor()
  await bench.register()
  await chips(page).first().waitFor()
  const other = await open('#/what-if/<img src=x onerror=document.title="owned">')
  await other.getByRole('alert').getByText('unknown kind of payment').waitFor()

  expect([await other.title(), await other.locator('img').count()]).toEqual(['Hookbench', 0])
})
