/** What runs a page from top to bottom, as a reader would. */
export const SESSION = 'test/end-to-end/pages.test.ts'

/** What does as the page of a receiver says. */
const RECEIVERS = 'test/end-to-end/receiver-pages.test.ts'

/** The test that runs what stands in each page of the site that has code. */
export const PAGE_TESTS: Readonly<Record<string, string>> = {
  'AGENTS.md': SESSION,
  'README.md': SESSION,
  'docs/tutorial.md': SESSION,
  'docs/frameworks.md': 'test/end-to-end/test-frameworks.test.ts',
  'docs/how-a-good-receiver-works.md': SESSION,
  'docs/install.md': '.github/workflows/binaries.yml',
  'docs/guides/ci.md': 'test/end-to-end/ci-page.test.ts',
  'docs/guides/containers.md': '.github/workflows/binaries.yml',
  'docs/guides/faults-cookbook.md': SESSION,
  'docs/guides/generate.md': SESSION,
  'docs/guides/deliver.md': SESSION,
  'docs/guides/effects.md': SESSION,
  'docs/guides/listening.md': 'test/end-to-end/listening/main.ts',
  'docs/guides/load.md': SESSION,
  'docs/guides/migrating.md': SESSION,
  'docs/guides/explore.md': SESSION,
  'docs/guides/payments.md': SESSION,
  'docs/guides/rehearse.md': SESSION,
  'docs/guides/sandbox.md': SESSION,
  'docs/guides/service-api.md': SESSION,
  'docs/guides/shared-sandbox.md': 'test/end-to-end/check-world-page.test.ts',
  'docs/guides/testing-in-process.md': SESSION,
  'docs/guides/time.md': SESSION,
  'docs/guides/worlds.md': SESSION,
  'docs/reference/commands.md': 'test/sandbox/cli/examples.test.ts',
  'docs/reference/configuration.md': SESSION,
  'docs/reference/control-api.md': SESSION,
  'docs/reference/package.md': 'test/end-to-end/package-contents.test.ts',
  'docs/reference/readings.md': SESSION,
  'docs/receivers/express.md': RECEIVERS,
  'docs/receivers/fastify.md': RECEIVERS,
  'docs/receivers/flask.md': RECEIVERS,
  'docs/receivers/hono.md': RECEIVERS,
  'docs/receivers/next.md': RECEIVERS,
  'docs/receivers/php.md': RECEIVERS,
  'docs/receivers/python.md': RECEIVERS,
  'docs/receivers/rack.md': RECEIVERS,
  'docs/shell.md': 'test/end-to-end/shell-page.test.ts',
}
