import { chromium, type Browser, type LaunchOptions } from 'playwright-core'
import { chromiumPath } from './tools.ts'

const SHARED = 'HOOKBENCH_TEST_CHROMIUM'

export async function launchChromium(): Promise<Browser> {
  return chromium.launch(launchOptions())
}

/** Starts one Chromium for all test files. All names under `test` resolve to this machine. */
export async function shareChromium(): Promise<() => Promise<void>> {
  const server = await chromium.launchServer(launchOptions('--host-resolver-rules=MAP *.test 127.0.0.1'))
  process.env[SHARED] = server.wsEndpoint()
  return () => server.close()
}

/** Connects to the shared Chromium. Closing the connection ends only its pages and contexts. */
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
    // Chromium's sandbox does not work in a container, and the tests visit only their own pages. Disabling the GPU is faster than
    // emulating the GPU in software.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...switches],
  }
}
