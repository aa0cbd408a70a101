/** @module-tag chromium */

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadHtml } from '../../contracts/load/load-report.ts'
import { htmlReport } from '../../contracts/report/html.ts'
import { loadResult } from '../contracts/support/load-results.ts'
import { hostileRun, REPORT_OPTIONS, wholeRun } from '../contracts/support/run-results.ts'
import { findAxeProblems } from '../support/axe.ts'
import { openChromium } from '../support/chromium.ts'
import { HOSTILE_PAYLOADS } from '../support/hostile-payloads.ts'

let browser: Browser

beforeAll(async () => {
  browser = await openChromium()
})

afterAll(() => browser.close())

const AT_ONCE = 50
const parts = Array.from({ length: Math.ceil(HOSTILE_PAYLOADS.length / AT_ONCE) }, (_, part) =>
  HOSTILE_PAYLOADS.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
)

test.each(parts.map((texts, part) => [part, texts] as const))(
  'no hostile text runs or makes a request in a report (part %d)',
  async (_, texts) => {
    const runs = texts.map(hostileRun)
    const [first = hostileRun()] = runs
    const html = htmlReport({ ...first, results: runs.flatMap(({ results }) => results) }, REPORT_OPTIONS)
    const page = await browser.newPage()
    const misdeeds: string[] = []
    await page.exposeFunction('pwned', () => misdeeds.push('a script ran'))
    page.on('dialog', (dialog) => {
      misdeeds.push(`a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.route('**/*', (route) => {
      const url = route.request().url()
      if (url === 'http://report.test/') return route.fulfill({ contentType: 'text/html', body: html })
      misdeeds.push(`a request to ${url}`)
      return route.abort()
    })

    await page.goto('http://report.test/')
    await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true })`)
    await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`)

    expect(misdeeds).toEqual([])
    expect(
      await page.evaluate(
        `document.querySelectorAll('script, iframe, img, object, embed, link, base, form').length`,
      ),
    ).toBe(1)
    await page.close()
  },
)

test('the test detects a page that renders hostile text as markup', async () => {
  const page = await browser.newPage()
  const misdeeds: string[] = []
  await page.exposeFunction('pwned', () => misdeeds.push('a script ran'))

  await page.setContent('<img src=x onerror="pwned()">')

  await expect.poll(() => misdeeds).toEqual(['a script ran'])
  await page.close()
})

test.each([
  ['checks', () => htmlReport(wholeRun(), REPORT_OPTIONS)],
  ['a load', () => loadHtml(loadResult(), { maxP99Ms: undefined })],
])('the HTML report of %s is accessible when all details are open', async (_, toHtml) => {
  const page = await browser.newPage()
  await page.setContent(toHtml())
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true })`)

  expect(await findAxeProblems(page)).toEqual([])
  await page.close()
})
