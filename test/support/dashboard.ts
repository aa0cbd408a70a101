import { createServer } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { diagnose } from '../../sandbox/cli/doctor-command.ts'
import type { ServeOptions } from '../../sandbox/compose/serve-sandbox.ts'
import { expect } from 'vitest'
import { startWalk, type Walk } from './walk.ts'

/** Far longer than any sign takes to come, so that a busy machine fails no test. */
const PATIENCE_MS = 300_000

const TOKEN = 'a-token-of-the-run'

/** A sandbox with a receiver and the dashboard, and what its pages did that they must not do. */
export interface DashboardBench extends Walk {
  readonly token: string
  /** Opens the page with the token, at a route such as `#/world`. */
  open(browser: Browser, options?: OpenOptions): Promise<Page>
  /** Violations of the policy, requests elsewhere and errors of scripts, of all pages; each test expects none. */
  readonly misdeeds: readonly string[]
  /** Registers the receiver for these types. */
  register(...types: readonly string[]): Promise<void>
}

interface OpenOptions extends BrowserContextOptions {
  readonly route?: string
}

/** The clock is moved by hand. The bench's port stays the same over restarts. Nothing judges the receiver unless a judge is given. */
export async function serveDashboard(given: Pick<ServeOptions, 'judge'> = {}): Promise<DashboardBench> {
  const walk = await startWalk({
    benchPort: await findFreePort(),
    diagnose: ({ benchUrl: url, benchToken: token }) => diagnose({ url, token }, 'no-such-folder'),
    ...given,
  })
  const misdeeds: string[] = []
  return {
    ...walk,
    get sandbox() {
      return walk.sandbox
    },
    token: TOKEN,
    misdeeds,
    async open(browser, { route = '#/', ...options } = {}) {
      const { benchUrl } = walk.sandbox
      const context = await browser.newContext(options)
      context.setDefaultTimeout(PATIENCE_MS)
      const page = await context.newPage()
      await watch(page, benchUrl, misdeeds)
      await page.goto(`${benchUrl}/#token=${TOKEN}`)
      if (route !== '#/') await page.goto(`${benchUrl}/${route}`)
      return page
    },
    async register(...types) {
      for (const type of types) {
        const body = { url: walk.urlFor('webhooks', type), object_type: type }
        const { status } = await walk.service('POST', '/webhooks', body)
        if (status !== 201) throw new Error(`Cannot register for ${type}: ${status}`)
      }
    },
  }
}

/** Presses a key until it has done what it does: what is drawn anew binds its keys a moment later. */
export async function pressUntil(page: Page, key: string, isDone: () => Promise<boolean>): Promise<void> {
  const press = async () => {
    if (!(await isDone())) await page.keyboard.press(key)
    return isDone()
  }
  await expect.poll(press, { timeout: 60_000 }).toBe(true)
}

async function watch(page: Page, origin: string, misdeeds: string[]): Promise<void> {
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) misdeeds.push(`request to ${request.url()}`)
  })
  page.on('pageerror', (error) => misdeeds.push(`error: ${error.message}`))
  await page.exposeFunction('reportViolation', (text: string) => misdeeds.push(text))
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => reportViolation(`violation of ${event.violatedDirective}: ${event.blockedURI}`))",
  )
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
