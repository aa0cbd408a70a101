import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { launchChromium } from '../support/chromium.ts'
import { serveDashboard, type DashboardBench } from '../support/dashboard.ts'

let browser: Browser
let bench: DashboardBench

beforeAll(async () => {
  ;[browser, bench] = await Promise.all([launchChromium(), serveDashboard()])
})

afterAll(async () => {
  await browser.close()
  await bench.close()
})

test('the token is taken out of the address at once, and the page is live', async () => {
  const page = await bench.open(browser)

  await page.getByText('Live', { exact: true }).waitFor()

  expect(page.url()).toBe(`${bench.sandbox.benchUrl}/#/`)
  expect(await page.evaluate('history.length')).toBe(2)
  expect(bench.misdeeds).toEqual([])
})

test('without a token the page asks for it, and says of a wrong one that it was refused', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(bench.sandbox.benchUrl)

  await page.getByLabel('Token of the sandbox').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('The sandbox refused this token').waitFor()
  await page.getByLabel('Token of the sandbox').fill(bench.token)
  await page.keyboard.press('Enter')

  await page.getByText('Live', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Live', { exact: true }).waitFor()
})

const LOOKS = ['light', 'dark'] as const

test.each(LOOKS)('the shell is accessible in %s, in narrow and in wide windows', async (colorScheme) => {
  for (const width of [400, 1_280]) {
    const page = await bench.open(browser, { colorScheme, viewport: { width, height: 800 } })
    await page.getByText('Live', { exact: true }).waitFor()

    expect(await findAxeProblems(page)).toEqual([])
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    expect(await findAxeProblems(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await page.context().close()
  }
})
