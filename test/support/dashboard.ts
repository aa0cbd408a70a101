import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { serveSandbox, type ServedSandbox } from '../../sandbox/compose/serve-sandbox.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'

const TOKEN = 'token-of-the-dashboard-test'

/** A sandbox with the dashboard, and what its pages did that they must not do. */
export interface DashboardBench {
  readonly sandbox: ServedSandbox
  readonly token: string
  /** The address of the page, with the token. */
  readonly url: string
  /** Opens the page, at a route such as `#/world`. */
  open(browser: Browser, options?: OpenOptions): Promise<Page>
  /** Violations of the policy, requests elsewhere and errors of scripts, of all pages; each test expects none. */
  readonly misdeeds: readonly string[]
  close(): Promise<void>
}

interface OpenOptions extends BrowserContextOptions {
  readonly route?: string
}

/** A sandbox in memory, whose clock is moved by hand. */
export async function serveDashboard({ port = 0 }: { readonly port?: number } = {}): Promise<DashboardBench> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-dashboard-'))
  const misdeeds: string[] = []
  const sandbox = await serveSandbox({
    caFolder: join(folder, 'ca'),
    port: 0,
    benchPort: port,
    speed: 0,
    allowTargets: [],
    benchToken: TOKEN,
    settings: defaultSettings,
    onError: (where, error) => misdeeds.push(`${where}: ${String(error)}`),
  })
  const url = `${sandbox.benchUrl}/#token=${TOKEN}`
  return {
    sandbox,
    token: TOKEN,
    url,
    misdeeds,
    async open(browser, { route, ...options } = {}) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      await watch(page, sandbox.benchUrl, misdeeds)
      await page.goto(url)
      if (route !== undefined) await page.goto(`${sandbox.benchUrl}/${route}`)
      return page
    },
    async close() {
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
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
