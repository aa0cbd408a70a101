import { chromium, type Browser, type LaunchOptions } from 'playwright-core'
import { chromiumPath } from './tools.ts'

/** Where the Chromium of a run of the tests listens, for whoever tests in it. */
const SHARED = 'HOOKBENCH_TEST_CHROMIUM'

/** A browser without a window. It is to be closed. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch(launchOptions())
}

/** Starts one Chromium for all files that test in one; gives what ends it. Names of `test` lead to this machine in it. */
export async function shareChromium(): Promise<() => Promise<void>> {
  const server = await chromium.launchServer(launchOptions('--host-resolver-rules=MAP *.test 127.0.0.1'))
  process.env[SHARED] = server.wsEndpoint()
  return () => server.close()
}

/** The Chromium that all share, with pages and contexts of one's own. When it is closed, these are, and others go on. */
export async function openChromium(): Promise<Browser> {
  const address = process.env[SHARED]
  if (address === undefined) throw new Error('Cannot open Chromium: none was started for this run')
  return chromium.connect(address)
}

function launchOptions(...switches: readonly string[]): LaunchOptions {
  if (chromiumPath === undefined) {
    throw new Error('Cannot test in a browser: there is no Chromium. "apt-get install chromium" installs one')
  }
  return {
    executablePath: chromiumPath,
    // In a container its own sandbox has not the rights that it needs; it visits only what tests serve. Without a graphics card,
    // to imitate one takes more of the processor than to draw without.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...switches],
  }
}
