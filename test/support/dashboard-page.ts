import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { findControlAddress } from '../../sandbox/client/control-address.ts'
import { createControlClient } from '../../sandbox/client/control-client.ts'
import type { Perform } from '../../sandbox/compose/perform.ts'
import { openWorkshop } from './program.ts'
import { registerReceiver } from './receiver-program.ts'

/** The timeout in milliseconds, longer than a busy machine needs. */
const PATIENCE_MS = 100_000

export interface OpenOptions extends BrowserContextOptions {
  readonly route?: string
}

interface DashboardPlace extends OpenOptions {
  readonly benchUrl: string
  readonly token: string
  readonly misdeeds: string[]
}

export async function openDashboard(
  browser: Browser,
  { route = '#/', benchUrl, token, misdeeds, ...options }: DashboardPlace,
): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  await watch(page, benchUrl, misdeeds)
  // All pages in one Chromium share a clipboard, so each page keeps its copied text in a variable.
  await page.addInitScript(
    'if (navigator.clipboard) navigator.clipboard.writeText = async (text) => void (copied = text)',
  )
  await page.goto(`${benchUrl}/#token=${token}`)
  if (route !== '#/') await page.goto(`${benchUrl}/${route}`)
  return page
}

/** Returns the text that the page has copied last. */
export const readCopied = (page: Page) => page.evaluate<string>('copied')

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

/** A running sandbox with a page, and a receiver that reports effects. */
export interface WhatIfBench {
  readonly shop: ReturnType<typeof openWorkshop>
  readonly perform: Perform
  readonly misdeeds: readonly string[]
  open(browser: Browser, options?: OpenOptions): Promise<Page>
  register(defect?: string): Promise<void>
  close(): Promise<void>
}

const WANTED = [
  ['webhooks', 'items'],
  ['webhooks', 'transactions'],
  ['webhooks', 'batch_transactions'],
  ['callbacks', 'batch_transactions'],
] as const

export async function serveWhatIf(): Promise<WhatIfBench> {
  const shop = openWorkshop()
  const misdeeds: string[] = []
  const up = await shop.up()
  const { url: benchUrl, token } = findControlAddress(join(shop.folder, '.hookbench'), {})
  const perform = createControlClient({ url: benchUrl, token })
  let close = async () => {}
  return {
    shop,
    perform,
    misdeeds,
    open: (browser, options) => openDashboard(browser, { ...options, benchUrl, token, misdeeds }),
    async register(defect) {
      await close()
      const service = String(up.ready['service_url'])
      await perform('resetSandbox')
      const receiver = await registerReceiver(shop, { service, defect, types: [] })
      ;({ close } = receiver)
      for (const [generation, object_type] of WANTED) {
        const url = receiver[generation].replace('{object_type}', object_type)
        await perform('addRegistration', { body: { generation, object_type, url } })
      }
      const config = { effects: { http: receiver.effects }, settleMs: 1_500, windowMs: 300 }
      writeFileSync(join(shop.folder, 'hookbench.config.json'), JSON.stringify(config))
    },
    async close() {
      await close()
      await shop.close()
    },
  }
}
