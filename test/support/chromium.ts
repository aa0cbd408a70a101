import { chromium, type Browser } from 'playwright-core'
import { chromiumPath } from './chromium-path.ts'

/** A browser without a window, with more switches if any are given. It is to be closed. */
export function launchChromium(switches: readonly string[] = []): Promise<Browser> {
  if (chromiumPath === undefined) {
    throw new Error('Cannot test in a browser: there is no Chromium; "apt-get install chromium" installs one')
  }
  return chromium.launch({
    executablePath: chromiumPath,
    // In a container its own sandbox has not the rights that it needs; it visits only what tests serve.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...switches],
  })
}
