import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchChromium } from '../support/chromium.ts'
import { serveWhatIf } from '../support/dashboard-page.ts'

// Takes the pictures of the page that documents show, at both widths: node test/tools/screenshots.ts FOLDER

const folder = process.argv[2] ?? 'docs'
const SHAPES = [
  { width: 1_280, height: 800 },
  { width: 400, height: 800 },
]

/** Of a card payment, of which the success comes twice. */
const ORDER = '1-2-2-3-4-5'
const DEFECT = 'acts-on-each-delivery'

mkdirSync(folder, { recursive: true })
const [browser, bench] = await Promise.all([launchChromium(), serveWhatIf()])

/** A card payment and another one, of which some notifications came twice; a job of it, and its item. */
async function play() {
  await bench.register(DEFECT)
  const fault = {
    on: 'delivery',
    kind: 'duplicate',
    match: { object_type: 'transactions' },
    copies: 1,
  } as const
  await bench.perform('addFault', { body: fault })
  await bench.perform('playPayment', { body: { kind: 'card-payin', amount: 125_00 } })
  await bench.perform('playPayment', { body: { kind: 'npp-payin', amount: 40_00 } })
  await bench.perform('settle', { body: {} })
  const { jobs } = await bench.perform('listJobs', { query: {} })
  const first = jobs.find(({ object_type }) => object_type === 'items')
  return { job: first?.id ?? '', item: first?.object_id ?? '' }
}

async function showWhatIf(page: Page): Promise<void> {
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your receiver failed' }).waitFor()
}

try {
  const { job, item } = await play()
  const screens = [
    ['timeline', '#/', (page: Page) => page.locator('.line').first().waitFor()],
    [
      'delivery',
      `#/timeline/${job}`,
      (page: Page) => page.getByRole('heading', { name: 'Attempt 1' }).waitFor(),
    ],
    ['world', `#/world/items/${item}`, (page: Page) => page.getByRole('img', { name: /^State/ }).waitFor()],
    ['workshop', '#/workshop', (page: Page) => page.getByRole('button', { name: 'Play' }).first().waitFor()],
    ['what-if', `#/what-if/card-payin/successful/${ORDER}/12500`, showWhatIf],
  ] as const
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of SHAPES) {
      for (const [name, route, show] of screens) {
        if (colorScheme === 'dark' && name !== 'what-if') continue
        const page = await bench.open(browser, { colorScheme, viewport, route })
        await page.getByText('Live', { exact: true }).waitFor()
        await show(page)
        const theme = colorScheme === 'dark' ? '-dark' : ''
        await page.screenshot({ path: join(folder, `${name}-${viewport.width}${theme}.png`) })
        await page.context().close()
      }
    }
  }
} finally {
  await browser.close()
  await bench.close()
}
