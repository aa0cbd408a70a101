import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { skipReporter } from './support/skip-reporter.ts'
import { seedLine } from './support/test-seed.ts'
import { TOOLS, whyMissing } from './support/tools.ts'

const source = (path: string) => new URL(`../${path}`, import.meta.url).pathname

/** The time limit of a test, for a busy machine. Slower tests set their own limit. */
const PATIENCE_MS = 110_000
/** The time limit of `expect.poll`. A poll ends before the test's time limit, so that the failure shows the observed value. */
const POLL_MS = 100_000

/** Skips tests whose tool is missing. In CI, tests with a missing tool fail: see support/set-up.ts. */
const toolTags = Object.keys(TOOLS).map((name) => ({
  name,
  ...(!process.env['CI'] && whyMissing(name) !== undefined && { skip: true }),
}))

/** Tests of screens that only `npm run test:browser` runs. */
const LATER_SCREENS = [
  'activity',
  'attacks',
  'check-report',
  'delivery',
  'palette',
  'report',
  'rewind',
  'what-if',
  'workshop',
  'workshop-checks',
  'world',
  'worlds',
]
const laterScreens =
  process.env['HOOKBENCH_BROWSER'] === 'whole'
    ? []
    : LATER_SCREENS.map((name) => `test/browser/${name}.test.ts`)

const endToEnd = (names: readonly string[]) => names.map((name) => `test/end-to-end/${name}.test.ts`)

/** Long tests that only `npm run test:longer` runs. */
const LONGER = endToEnd([
  'action',
  'check-attach',
  'check-beside',
  'check-secrets',
  'check-world',
  'check-world-page',
  'crowds-at-doors',
  'describe-receiver',
  'disk-faults',
  'generate',
  'judge',
  'large-snapshots',
  'listening/two-machines',
  'load-receivers',
  'mistakes',
  'pages',
  'power-loss',
  'process-faults',
  'rehearse',
  'site',
  'starter-receiver',
  'test-frameworks',
  'tutorial',
  'world-of-run',
  'worlds-at-rest',
])

/** Tests that only `npm run kill-matrix` and `npm run test:receivers` run. */
const ELSEWHERE = endToEnd([
  'ci-page',
  'receiver-pages',
  'receivers/items-only',
  'kill-matrix/careful',
  'kill-matrix/http',
  'kill-matrix/idempotency',
  'kill-matrix/order',
  'kill-matrix/recovery',
  'kill-matrix/signature',
  'kill-matrix/trust',
])
const testsReceivers = process.env['HOOKBENCH_RECEIVERS'] !== undefined
const namesTests =
  testsReceivers ||
  process.env['HOOKBENCH_PROGRAM'] === 'single-file' ||
  process.env['HOOKBENCH_KILL_MATRIX'] !== undefined
const chosenTests =
  process.env['HOOKBENCH_TESTS'] === 'longer'
    ? { include: LONGER }
    : {
        include: ['test/end-to-end/**/*.test.ts'],
        exclude: namesTests ? [] : [...LONGER, ...ELSEWHERE],
      }

console.log(seedLine)

export default defineConfig({
  resolve: {
    // The examples import the package by its name.
    alias: [
      { find: /^hookbench$/, replacement: source('sandbox/index.ts') },
      { find: /^hookbench\/msw$/, replacement: source('sandbox/in-process/msw.ts') },
    ],
  },
  test: {
    root: new URL('..', import.meta.url).pathname,
    // A run of all checks uses most of a processor.
    maxWorkers: testsReceivers ? 2 : Math.max(4, availableParallelism() - 1),
    expect: { poll: { timeout: POLL_MS, interval: 10 } },
    globalSetup: ['test/support/leftovers.ts'],
    setupFiles: ['test/support/set-up.ts'],
    reporters: ['default', skipReporter],
    tags: toolTags,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/end-to-end/**', 'test/browser/**'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'end-to-end',
          ...chosenTests,
          globalSetup: ['test/end-to-end/install-package.ts'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          maxConcurrency: testsReceivers ? 2 : 5,
          isolate: false,
        },
      },
      {
        extends: true,
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
    ],
  },
})
