import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from '../support/chromium.ts'
import { serveWhatIf } from '../support/dashboard-page.ts'

// Takes the ten pictures of the documentation: npm run screenshots [FOLDER]

const folder = process.argv[2] ?? 'docs'
const WIDE: BrowserContextOptions = { viewport: { width: 1_280, height: 800 } }
const NARROW: BrowserContextOptions = { viewport: { width: 390, height: 800 } }

/** A card payment with a duplicate success notification. */
const ORDER = '1-2-2-3-4-5'
const DEFECT = 'acts-on-each-delivery'

mkdirSync(folder, { recursive: true })
const [browser, bench] = await Promise.all([launchChromium(), serveWhatIf()])

/** Plays payments. Some notifications fail at first, and some are duplicated. */
async function play() {
  const { perform } = bench
  await bench.register(DEFECT)
  const duplicate = { on: 'delivery', kind: 'duplicate', match: { object_type: 'transactions' } } as const
  await perform('addFault', { body: { ...duplicate, copies: 1, times: 1 } })
  await perform('playPayment', { body: { kind: 'bpay-payout', amount: 980_00 } })
  await perform('settle', { body: {} })
  const drop = { on: 'delivery', kind: 'drop', match: { object_type: 'batch_transactions' } } as const
  await perform('addFault', { body: { ...drop, times: 1 } })
  await perform('playPayment', { body: { kind: 'npp-payin', amount: 40_00 } })
  const { id } = await perform('playPayment', { body: { kind: 'card-payin', amount: 125_00 } })
  await perform('settle', { body: {} })
  const { jobs } = await perform('listJobs', { query: { object_type: 'items' } })
  const last = jobs.at(-1)
  return { payment: id, job: last?.id ?? '', item: last?.object_id ?? '' }
}

async function showVerdict(page: Page): Promise<void> {
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your receiver failed' }).waitFor()
}

async function showChecks(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run idempotency' }).click()
  await page.getByRole('list', { name: 'Failures by cause' }).waitFor()
}

try {
  const { payment, job, item } = await play()
  const rows = (page: Page) => page.locator('.row.job').first().waitFor()
  const body = (page: Page) => page.getByLabel('Body that was sent').waitFor()
  const verdict = `#/what-if/card-payin/successful/${ORDER}/12500`
  const pictures: readonly (readonly [
    string,
    string,
    BrowserContextOptions,
    (page: Page) => Promise<void>,
  ])[] = [
    ['activity', '#/', WIDE, rows],
    ['activity-390-dark', '#/', { ...NARROW, colorScheme: 'dark' }, rows],
    ['payment', `#/payments/${payment}`, WIDE, (page) => page.locator('.mark').first().waitFor()],
    ['delivery', `#/activity/${job}`, WIDE, body],
    ['delivery-390', `#/activity/${job}`, NARROW, body],
    [
      'world',
      `#/world/items/${item}`,
      WIDE,
      (page) => page.getByRole('group', { name: 'Move to' }).waitFor(),
    ],
    ['workshop', '#/workshop', WIDE, (page) => page.getByRole('button', { name: 'Play' }).first().waitFor()],
    ['what-if', verdict, WIDE, showVerdict],
    ['what-if-dark', verdict, { ...WIDE, colorScheme: 'dark' }, showVerdict],
    ['checks', '#/workshop/checks', WIDE, showChecks],
  ]
  for (const [name, route, options, show] of pictures) {
    const page = await bench.open(browser, { ...options, route })
    await page.getByText('Live', { exact: true }).waitFor()
    await show(page)
    await page.screenshot({ path: join(folder, `dashboard-${name}.png`) })
    await page.context().close()
  }
} finally {
  await browser.close()
  await bench.close()
}
