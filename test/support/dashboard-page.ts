import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** Far longer than any sign takes to come, so that a busy machine fails no test. */
const PATIENCE_MS = 300_000

export interface OpenOptions extends BrowserContextOptions {
  readonly route?: string
}

interface DashboardPlace extends OpenOptions {
  readonly benchUrl: string
  readonly token: string
  readonly misdeeds: string[]
}

/** Opens the page of a sandbox that listens there, and watches what it does. */
export async function openDashboard(
  browser: Browser,
  { route = '#/', benchUrl, token, misdeeds, ...options }: DashboardPlace,
): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  await watch(page, benchUrl, misdeeds)
  await page.goto(`${benchUrl}/#token=${token}`)
  if (route !== '#/') await page.goto(`${benchUrl}/${route}`)
  return page
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
