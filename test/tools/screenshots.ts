import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { launchChromium } from '../support/chromium.ts'
import { serveWhatIf } from '../support/what-if-bench.ts'

// Takes the pictures of the what-if timeline in which a payment is found to be released twice: node test/tools/screenshots.ts FOLDER

const folder = process.argv[2] ?? 'docs'
const SHAPES = [
  { width: 1_280, height: 860 },
  { width: 400, height: 860 },
]

/** Of a card payment: its transaction comes twice, once without an answer, and once a day late. */
const ORDER = '1-3-2b-4-2l-5'

mkdirSync(folder, { recursive: true })
const [browser, bench] = await Promise.all([launchChromium(), serveWhatIf()])
try {
  await bench.register('acts-on-each-delivery')
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of SHAPES) {
      const page = await bench.open(browser, {
        colorScheme,
        viewport,
        deviceScaleFactor: 2,
        route: `#/what-if/card-payin/successful/${ORDER}/12500`,
      })
      const take = (name: string) =>
        page.screenshot({ path: join(folder, `what-if-${name}-${viewport.width}-${colorScheme}.png`) })
      await page.getByRole('listbox').getByRole('option').first().waitFor()
      await take('edited')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Your receiver failed' }).waitFor()
      await take('failed')
      await page.keyboard.press('s')
      await page.waitForURL((url) => !url.hash.includes(ORDER))
      await page.getByRole('heading', { name: 'Your receiver failed' }).waitFor()
      await take('shortest')
      await page.context().close()
    }
  }
} finally {
  await browser.close()
  await bench.close()
}
