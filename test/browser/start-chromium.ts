import { shareChromium } from '../support/chromium.ts'
import { chromiumPath } from '../support/tools.ts'

/** Starts one browser for all test files. Without Chromium, the tests are skipped. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  return chromiumPath === undefined && !process.env['CI'] ? undefined : shareChromium()
}
