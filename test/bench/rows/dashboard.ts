import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../support/chromium.ts'
import { openChild } from '../children.ts'
import type { MeasureOptions, Row } from '../row.ts'
import { BENCH_TOKEN } from '../sandbox.ts'
import { median } from '../slices.ts'
import { fillStore } from '../stores.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const ROUNDS = 5

async function withDashboard<Result>(
  options: MeasureOptions,
  jobs: number,
  measure: (browser: Browser, url: string) => Promise<Result>,
): Promise<Result> {
  execFileSync(process.execPath, ['build/dashboard.ts', '--if-stale'], { cwd: ROOT })
  const store = await fillStore(options, jobs)
  const child = await openChild({ folder: options.folder, store, speed: 0 })
  const browser = await launchChromium()
  try {
    return await measure(browser, `${child.benchUrl}/#token=${BENCH_TOKEN}`)
  } finally {
    await browser.close()
    await child.end()
  }
}

async function openPage(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: { width: 1_280, height: 800 } })).newPage()
}

const FIRST_PICTURE = `new Promise((resolve) => {
  const take = (list) => {
    for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
  }
  new PerformanceObserver(take).observe({ type: 'paint', buffered: true })
})`

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly args: { readonly name?: string }
  readonly tdur?: number
}

/** Returns the processor time of the longest main-thread task during `act`, in milliseconds. */
async function longestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()
  if (!browser) throw new Error('Cannot measure: the page has no browser')
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await act()
  const trace: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(
    String(await browser.stopTracing()),
  )
  const thread = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`
  const mains = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(thread),
  )
  const tasks = trace.traceEvents.filter(
    (event) => event.name.endsWith('RunTask') && mains.has(thread(event)),
  )
  if (!tasks.some(({ tdur = 0 }) => tdur > 0)) throw new Error('Cannot measure: the browser traced no task')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1_000))
}

async function useTimeline(page: Page, url: string, jobs: number): Promise<Readonly<Record<string, number>>> {
  return {
    loading: await longestTask(page, async () => {
      await page.goto(url)
      await page.locator('.row').nth(10).waitFor({ state: 'attached' })
    }),
    listing: await longestTask(page, () => page.waitForFunction(IS_LISTED, jobs, { timeout: 300_000 })),
    scrolling: await longestTask(page, () => page.evaluate(SCROLL)),
    searching: await longestTask(page, async () => {
      await page.getByLabel('Search').pressSequentially('example 99', { delay: 50 })
      await page.getByText('No delivery matches').waitFor()
    }),
  }
}

/** True if the list is complete. Payments have separate rows, so a complete list has more rows than jobs. */
const IS_LISTED = `(jobs) => Number(document.querySelector('[role=table]')?.getAttribute('aria-rowcount')) > jobs`

/** Scrolls through the list in a hundred steps and renders a frame at each step. */
const SCROLL = `(async () => {
  const scroller = document.querySelector('.scroller')
  for (let part = 0; part <= 100; part++) {
    scroller.scrollTop = (scroller.scrollHeight * part) / 100
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
})()`

export const DASHBOARD: Row = {
  id: 'dashboard',
  what: 'the longest browser task while the dashboard page lists, scrolls and searches many jobs',
  unit: 'ms',
  better: 'less',
  bar: 50,
  instead: 'a page that stops responding during a long task',
  depends: 'jobs',
  measure: (options) =>
    withDashboard(options, options.jobs, async (browser, url) => {
      const page = await openPage(browser)
      const longest = await useTimeline(page, url, options.jobs)
      const rows = await page.evaluate<number>(`document.querySelectorAll('.row').length`)
      const detail = Object.entries(longest).map(([when, ms]) => `${when} ${Math.round(ms)} ms`)
      return {
        value: Math.max(...Object.values(longest)),
        detail: `${detail.join(', ')}. The page had ${rows} rows`,
      }
    }),
}

export const FIRST_PAINT: Row = {
  id: 'first-paint',
  what: 'time from opening the address of the dashboard to the first paint, on loopback',
  unit: 'ms',
  better: 'less',
  bar: 200,
  instead: 'a terminal that is already open',
  measure: (options) =>
    withDashboard(options, 0, async (browser, url) => {
      const taken: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const page = await openPage(browser)
        await page.goto(url)
        taken.push(await page.evaluate<number>(FIRST_PICTURE))
        await page.context().close()
      }
      return {
        value: median(taken),
        detail: `the median of ${ROUNDS} runs without a cache. The slowest run took ${Math.round(Math.max(...taken))} ms`,
      }
    }),
}
