import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, beforeAll, expect } from 'vitest'
import { openChromium } from './chromium.ts'
import type { OpenOptions } from './dashboard-page.ts'
import { duringFile } from './lifetimes.ts'

const BROWSER: BrowserContextOptions = {
  viewport: { width: 1_280, height: 800 },
  permissions: ['clipboard-read', 'clipboard-write'],
}

interface Served {
  readonly misdeeds: readonly string[]
  open(browser: Browser, options?: OpenOptions): Promise<Page>
  close(): Promise<void>
}

interface TestOptions<Bench> {
  readonly serve: () => Promise<Bench>
  readonly prepare?: (bench: Bench) => Promise<void>
  /** Called after each test, when the test's pages are closed. */
  readonly restore?: (bench: Bench) => unknown
}

/**
 * Serves a dashboard for the tests in a file. Closes the pages after each test. Fails the test after a request to another host, a
 * policy violation or a script error.
 */
export function useDashboard<Bench extends Served>({ serve, prepare, restore }: TestOptions<Bench>) {
  const bench = duringFile(serve)
  const browser = duringFile(openChromium)
  const pages: Page[] = []

  if (prepare) beforeAll(() => prepare(bench))

  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
    await restore?.(bench)
    expect(bench.misdeeds).toEqual([])
  })

  function track(page: Page): Page {
    pages.push(page)
    return page
  }

  async function open(route = '#/', options: BrowserContextOptions = {}): Promise<Page> {
    return track(await bench.open(browser, { ...BROWSER, route, ...options }))
  }

  return {
    bench,
    open,
    async openLive(...place: Parameters<typeof open>): Promise<Page> {
      const page = await open(...place)
      await page.getByText('Live', { exact: true }).waitFor()
      return page
    },
    /** Opens an empty page without the token. */
    openEmpty: async () => track(await (await browser.newContext()).newPage()),
  }
}
