import { shareChromium } from '../support/chromium.ts'
import { chromiumPath } from '../support/tools.ts'

/** Starts one browser for all files, as starting one takes longer than most tests in it. Without Chromium these are skipped. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  return chromiumPath === undefined && !process.env['CI'] ? undefined : shareChromium()
}
