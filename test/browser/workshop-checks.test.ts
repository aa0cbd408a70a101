/** @module-tag chromium */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Judge, PlannedRun, RunPorts } from '../../sandbox/api/control/judge.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import { createBenchJudge } from '../../contracts/judge/bench-judge.ts'
import { findAxeProblems } from '../support/axe.ts'
import { pressUntil, serveDashboard } from '../support/dashboard.ts'
import { useDashboard } from '../support/dashboard-tests.ts'
import { HOSTILE_PAYLOADS } from '../support/hostile-payloads.ts'

let script: PlannedRun | undefined

async function loadJudge(): Promise<Judge> {
  const { credentials } = defaultSettings
  const judge = createBenchJudge({ config: undefined, data: bench.folder, credentials })
  return { ...judge, check: async (request, sandbox) => script ?? judge.check(request, sandbox) }
}

const { bench, openLive } = useDashboard({
  serve: () => serveDashboard({ judge: loadJudge }),
  restore(served) {
    script = undefined
    return served.bench('POST', '/reset', {})
  },
})

const cardOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const hashOf = (page: Page) => page.evaluate<string>('location.hash')

test('the checks screen reports a missing registration before a run', async () => {
  const page = await openLive('#/workshop/checks')

  await page.getByText('No notification is sent, because no registration is enabled').waitFor()
  await page.getByRole('button', { name: /^Run all/ }).click()
  await page.getByText('Cannot find your receiver: no receiver is registered').waitFor()
  await page.getByRole('link', { name: 'registered', exact: true }).click()

  await page.getByText('Register a receiver').waitFor()
})

function scriptRun() {
  const ports = Promise.withResolvers<RunPorts>()
  const end = Promise.withResolvers<void>()
  const names = ['http/answers-2xx', 'order/<img src=x onerror=pwned()>', 'signature/none']
  script = {
    about: 'three checks',
    async run(given) {
      ports.resolve(given)
      const aborted = new Promise<never>((_, reject) =>
        given.signal.addEventListener('abort', () => reject(given.signal.reason)),
      )
      await Promise.race([end.promise, aborted])
      return { conclusion: 'failed', headline: '1 of 3 checks failed', rehearsal: null, report: {} }
    },
  }
  const verdicts = ['passed', 'failed', 'not_observable'] as const
  return {
    async report(done: number, actual: string) {
      const verdict = verdicts[done - 1] ?? 'passed'
      const check = { id: names[done - 1] ?? '', verdict, actual: verdict === 'passed' ? null : actual }
      const { onProgress } = await ports.promise
      onProgress({ done, total: 3, text: `${check.id}: ${verdict}`, check })
    },
    end: () => end.resolve(),
  }
}

test('a check run shows live progress and ends with a persistent report', async () => {
  const page = await openLive('#/workshop/checks')
  const run = scriptRun()
  const progress = page.getByRole('progressbar')
  const value = () => progress.evaluate((element) => `${element.getAttribute('value')}`)

  await page.getByRole('button', { name: /^Run all/ }).click()
  await run.report(1, '')
  await page.getByText('http/answers-2xx: passed').waitFor()
  const first = await value()
  await page.getByText('A check is running in this world').waitFor()
  await run.report(2, 'Two effects')
  await page.getByText('Two effects').waitFor()
  const second = await value()
  await run.report(3, 'No secret')
  run.end()
  await page.getByRole('status').getByText('1 of 3 checks failed').waitFor()
  await page.getByText('A check is running in this world').waitFor({ state: 'detached' })
  await page.reload()

  expect([first, second]).toEqual(['1', '2'])
  await page.getByRole('status').getByText('1 of 3 checks failed').waitFor()
  await page.getByText('1 not observable').click()
  await page.getByText('No secret').waitFor()
  await page.getByRole('link', { name: /^\d{4}-/ }).click()
  expect(await hashOf(page)).toMatch(/^#\/workshop\/runs\//)
})

test('the stop button stops a check run', async () => {
  const page = await openLive('#/workshop/checks')
  const run = scriptRun()
  await page.getByRole('button', { name: /^Run all/ }).click()
  await run.report(1, '')

  await page.getByRole('button', { name: 'Stop' }).click()

  await page.getByText('Stopped, and the world is restored').waitFor()
  await page.getByRole('button', { name: /^Run all/ }).waitFor()
})

test('a user can open the explanation of a check and run the check with only the keyboard', async () => {
  await bench.register('transactions')
  const page = await openLive('#/workshop/checks')
  const { checks } = (await bench.bench('GET', '/checks')).body
  const check = checks.find(({ id }: { id: string }) => id === 'http/small-answers')
  await page.getByRole('link', { name: checks[0].id }).waitFor()
  await pressUntil(page, 'j', async () => (await hashOf(page)).includes(encodeURIComponent(checks[0].id)))
  await page.evaluate(`location.hash = '#/workshop/checks/${encodeURIComponent(check.id)}'`)

  const pane = page.getByRole('complementary', { name: 'Check' })
  await pane.getByText(check.meaning).waitFor()
  await pane.getByText(check.remedy).waitFor()
  await pane.getByText('npx hookbench check http/small-answers --attach').waitFor()
  await pane.getByRole('button', { name: 'Run it' }).focus()
  await page.keyboard.press('Enter')

  await pane.getByText('passed', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Reports' }).getByText('1 passed').waitFor()
  const lastRun = async () => (await bench.bench('GET', '/runs')).body.runs.at(-1)
  const ended = { about: 'http/small-answers', status: 'ended', conclusion: 'passed' }
  await expect.poll(lastRun).toMatchObject(ended)
})

test('an unknown workshop section shows an error', async () => {
  const page = await openLive('#/workshop/nothing')

  await page.getByText('The workshop has no "nothing"').waitFor()
  await pressUntil(page, '4', async () => (await hashOf(page)) === '#/workshop/checks')
})

test('the workshop shows hostile texts in reports and faults as plain text', async () => {
  const page = await openLive('#/workshop/checks')
  const misdeeds: string[] = []
  await page.exposeFunction('pwned', () => misdeeds.push('a script ran'))
  page.on('dialog', (dialog) => {
    misdeeds.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const run = scriptRun()
  await page.getByRole('button', { name: /^Run all/ }).click()
  for (const text of HOSTILE_PAYLOADS) await run.report(2, text)
  run.end()
  await page.getByRole('status').getByText('1 of 3 checks failed').waitFor()
  await page.getByText(`${HOSTILE_PAYLOADS.length} failed`).waitFor()
  await page.goto(`${bench.sandbox.benchUrl}/#/workshop/faults`)
  for (const payload of HOSTILE_PAYLOADS.slice(0, 20)) {
    await bench.bench('POST', '/faults', { on: 'api', kind: 'hang', match: { path: `/${payload}` } })
  }
  await page.getByRole('link', { name: '20 faults' }).waitFor()
  await cardOf(page, 'api hang').getByText('Applied').nth(19).waitFor()

  expect(misdeeds).toEqual([])
  expect(await page.locator('.workshop').locator('script, iframe, img, object, embed').count()).toBe(0)
})

test('the workshop is accessible in light and dark mode', async () => {
  await bench.register('items')
  const run = scriptRun()
  await bench.bench('POST', '/payments', { kind: 'card-payin', pace: 'stepwise' })
  await bench.bench('POST', '/faults', { on: 'delivery', kind: 'drop' })
  await bench.bench('PATCH', '/readings', { 'retry-body': 'current' })
  await bench.bench('POST', '/check-runs', {})
  for (const done of [1, 2, 3]) await run.report(done, 'Not as it should be')
  const page = await openLive('#/workshop')
  for (const [route, sign] of [
    ['#/workshop', 'Step 1 of 2'],
    ['#/workshop/faults', 'Applied 0 times, to everything'],
    ['#/workshop/readings', 'by default: A job is the record of one trigger'],
    ['#/workshop/checks', '1 failed'],
    ['#/workshop/checks/http%2Fsmall-answers', 'Run it'],
  ] as const) {
    await page.goto(`${bench.sandbox.benchUrl}/${route}`)
    await page.getByText(sign).first().waitFor()

    expect(await findAxeProblems(page)).toEqual([])
  }
  run.end()
})
