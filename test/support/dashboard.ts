import type { Browser, Page } from 'playwright-core'
import { diagnoseSandbox } from '../../sandbox/cli/doctor-command.ts'
import type { ServeOptions } from '../../sandbox/compose/serve-options.ts'
import { expect } from 'vitest'
import { openDashboard, type OpenOptions } from './dashboard-page.ts'
import { freePort } from './free-ports.ts'
import { startWalk, type Walk } from './walk.ts'

export interface DashboardBench extends Walk {
  open(browser: Browser, options?: OpenOptions): Promise<Page>
  /** Violations of the content security policy, external requests and script errors. Each test expects this list to be empty. */
  readonly misdeeds: readonly string[]
  register(...types: readonly string[]): Promise<void>
}

/** Serves a dashboard with a manual clock. A restart uses the same port. */
export async function serveDashboard(given: Pick<ServeOptions, 'judge'> = {}): Promise<DashboardBench> {
  const walk = await startWalk({
    benchPort: await freePort(),
    diagnose: ({ benchUrl: url, benchToken: token }) => diagnoseSandbox({ url, token }, 'no-such-folder'),
    ...given,
  })
  const misdeeds: string[] = []
  return {
    ...walk,
    get sandbox() {
      return walk.sandbox
    },
    misdeeds,
    open: (browser, options) =>
      openDashboard(browser, { ...options, benchUrl: walk.sandbox.benchUrl, token: walk.token, misdeeds }),
    async register(...types) {
      for (const type of types) {
        const body = { url: walk.urlFor('webhooks', type), object_type: type }
        const { status } = await walk.service('POST', '/webhooks', body)
        if (status !== 201) throw new Error(`Cannot register for ${type}: ${status}`)
      }
    },
  }
}

/** Repeats a key until it has an effect, because a new element handles keys only after a delay. */
export async function pressUntil(page: Page, key: string, isDone: () => Promise<boolean>): Promise<void> {
  const press = async () => {
    if (!(await isDone())) await page.keyboard.press(key)
    return isDone()
  }
  await expect.poll(press, { timeout: 60_000 }).toBe(true)
}
