/** What runs a page from top to bottom, as a reader would. */
export const SESSION = 'test/end-to-end/pages.test.ts'

/** The test that runs what stands in each page of the site that has code. */
export const PAGE_TESTS: Readonly<Record<string, string>> = {
  'docs/tutorial.md': SESSION,
  'docs/guides/faults-cookbook.md': SESSION,
  'docs/guides/generate.md': SESSION,
  'docs/guides/green.md': SESSION,
  'docs/guides/listening.md': 'test/end-to-end/listening/main.ts',
  'docs/guides/migrating.md': SESSION,
  'docs/guides/rehearse.md': SESSION,
  'docs/guides/sandbox.md': SESSION,
  'docs/guides/testing-in-process.md': SESSION,
  'docs/guides/time.md': SESSION,
  'docs/reference/configuration.md': SESSION,
  'docs/reference/control-api.md': SESSION,
  'docs/reference/readings.md': SESSION,
}
