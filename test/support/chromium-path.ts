import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where the browser is that tests in one use; undefined if this machine has none. */
export const chromiumPath = process.env['HOOKBENCH_CHROMIUM'] ?? PLACES.find((path) => existsSync(path))
