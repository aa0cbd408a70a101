/** @module-tag chromium */

import { expect, test } from 'vitest'
import { findAxeProblems } from '../support/axe.ts'
import { serveWhatIf } from '../support/dashboard-page.ts'
import { useDashboard } from '../support/dashboard-tests.ts'

const CHECK = 'idempotency/same-delivery-again'

const { bench, openLive } = useDashboard({
  serve: serveWhatIf,
  prepare: ({ register }) => register('acts-on-each-delivery'),
})

test('the report on the dashboard shows the same causes, values and exchanges as the CLI report', async () => {
  const { stdout } = await bench.shop.run('check', CHECK, '--attach', '--json')
  const page = await openLive(`#/workshop/checks/${encodeURIComponent(CHECK)}`)

  await page.getByRole('button', { name: 'Run it' }).click()
  await page.getByRole('complementary', { name: 'Check' }).getByText('failed', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  const failure = page.getByRole('list', { name: 'Failures by cause' }).getByRole('listitem').first()
  await failure.getByText('Timeline, requests and answers').click()
  await failure.getByText('Request and answer').first().click()

  const { runs } = await bench.perform('listRuns')
  const { report } = await bench.perform('getRun', { path: { id: runs.at(-1)?.id ?? '' } })
  const { failures, checks } = JSON.parse(JSON.stringify(report))
  const [{ requirement, expected, remedy }] = checks
  const [{ title }] = failures
  for (const text of [title, CHECK, requirement, expected, remedy])
    await failure.getByText(text).first().waitFor()
  await failure
    .getByLabel(/^Request: /)
    .first()
    .waitFor()
  const others = JSON.parse(stdout).failures.map((each: object) => ({ ...each, title: expect.any(String) }))
  expect(failures).toEqual(others)
  expect(await failure.locator('.trace > li.sent').count()).toBeGreaterThan(1)
  expect(await findAxeProblems(page)).toEqual([])
})

test('the dashboard and state-changing commands warn while a check run uses the world', async () => {
  const [page, other] = await Promise.all([openLive('#/'), openLive('#/world')])
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
