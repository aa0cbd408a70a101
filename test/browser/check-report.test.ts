/** @module-tag chromium */

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { openChromium } from '../support/chromium.ts'
import { serveWhatIf, type WhatIfBench } from '../support/dashboard-page.ts'

const CHECK = 'idempotency/same-delivery-again'

let browser: Browser
let bench: WhatIfBench

beforeAll(async () => {
  ;[browser, bench] = await Promise.all([openChromium(), serveWhatIf()])
  await bench.register('acts-on-each-delivery')
})

afterAll(async () => {
  await browser.close()
  await bench.close()
})

async function open(route: string): Promise<Page> {
  const page = await bench.open(browser, { viewport: { width: 1_280, height: 800 }, route })
  await page.getByText('Live', { exact: true }).waitFor()
  return page
}

test('the report on the dashboard shows the same causes, values and exchanges as the CLI report', async () => {
  const { stdout } = await bench.shop.run('check', CHECK, '--attach', '--json')
  const page = await open(`#/workshop/checks/${encodeURIComponent(CHECK)}`)

  await page.getByRole('button', { name: 'Run it' }).click()
  await page.getByRole('complementary', { name: 'Check' }).getByText('failed', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  const failure = page.getByRole('list', { name: 'Failures by cause' }).getByRole('listitem').first()
  await failure.getByText('Timeline, requests and answers').click()
  await failure.getByText('Request and answer').first().click()

  const { runs } = await bench.perform('listRuns')
  const { report } = await bench.perform('getRun', { path: { id: runs.at(-1)?.id ?? '' } })
  const { failures, checks } = JSON.parse(JSON.stringify(report))
  const [{ requirement, expected }] = checks
  const [{ title }] = failures
  for (const text of [title, CHECK, requirement, expected]) await failure.getByText(text).first().waitFor()
  await failure
    .getByLabel(/^Request: /)
    .first()
    .waitFor()
  const others = JSON.parse(stdout).failures.map((each: object) => ({ ...each, title: expect.any(String) }))
  expect(failures).toEqual(others)
  expect(await failure.locator('.trace > li.sent').count()).toBeGreaterThan(1)
  expect(await findAxeProblems(page)).toEqual([])
})

test('the dashboard and state-changing commands warn when a check run uses this world', async () => {
  const [page, other] = await Promise.all([open('#/'), open('#/world')])
  const { id } = await bench.perform('startChecks', { body: { checks: ['order', 'idempotency'] } })
  await page.getByText('is running in this world').waitFor()
  await other.getByText('is running in this world').waitFor()

  const { code, stderr } = await bench.shop.run('create', 'items')
  await bench.perform('stopRun', { path: { id } })
  await page.getByText('is running in this world').waitFor({ state: 'detached' })
  const after = await bench.shop.run('create', 'items')

  expect([code, stderr]).toEqual([0, expect.stringContaining('is running in this world')])
  expect([after.code, after.stderr]).toEqual([0, ''])
})
