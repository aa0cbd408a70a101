import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { chromiumPath } from './support/chromium-path.ts'

const source = (path: string) => new URL(`../${path}`, import.meta.url).pathname

/** Far more than any test needs, so that a busy machine fails none. */
const PATIENCE_MS = 600_000

const hasChromium = chromiumPath !== undefined
if (!hasChromium) {
  const missing = 'Cannot test in a browser: install Chromium, or name one in HOOKBENCH_CHROMIUM'
  if (process.env['CI']) throw new Error(missing)
  console.log(`Skipped: ${missing}`)
}

/** What `npm test` leaves to `npm run test:browser`, which takes each screen whole. */
const LATER = ['delivery', 'palette', 'report', 'rewind', 'workshop', 'workshop-checks']
const laterScreens =
  process.env['HOOKBENCH_BROWSER'] === 'whole' ? [] : LATER.map((name) => `test/browser/${name}.test.ts`)

const BROWSER = hasChromium
  ? [
      {
        extends: true as const,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          exclude: laterScreens,
          globalSetup: ['test/browser/build-dashboard.ts', 'test/browser/start-chromium.ts'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          isolate: false,
        },
      },
    ]
  : []

export default defineConfig({
  resolve: {
    // The examples name the package as its users do.
    alias: [
      { find: /^hookbench$/, replacement: source('sandbox/index.ts') },
      { find: /^hookbench\/msw$/, replacement: source('sandbox/in-process/msw.ts') },
    ],
  },
  test: {
    root: new URL('..', import.meta.url).pathname,
    // Four on two cores: most of what takes long waits.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // What is waited for comes soon, or the test fails by its own time-out.
    expect: { poll: { timeout: PATIENCE_MS, interval: 10 } },
    globalSetup: ['test/support/leftovers.ts'],
    setupFiles: ['test/support/seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/end-to-end/**', 'test/browser/**'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          // A third of the time: no file changes what another one sees.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'end-to-end',
          include: ['test/end-to-end/**/*.test.ts'],
          globalSetup: ['test/end-to-end/install-package.ts'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          maxConcurrency: 5,
          isolate: false,
        },
      },
      ...BROWSER,
    ],
  },
})
