import { expect, test } from 'vitest'
import { readPageCode } from '../support/page-code.ts'
import { runPage } from '../support/page-session.ts'

/** Each takes some ten seconds: `npm run test:docs` runs them all. */
const isWhole = process.env['HOOKBENCH_DOCS'] === 'whole'

/** What a page writes for something that a command has printed. */
const placeholders = {
  ID: /^Created \S+ ([0-9a-f-]{36})/,
  ITEM: /^Created items ([0-9a-f-]{36})/,
  JOB: /^([0-9a-f-]{36}) .* (?:success|failed) /,
  PAYMENT: /^Payment ([0-9a-f-]{36}):/,
}

const PAGES = [
  'tutorial',
  'guides/green',
  'guides/sandbox',
  'guides/faults-cookbook',
  'guides/time',
  'reference/readings',
]

test.runIf(isWhole).each(PAGES)('docs/%s.md runs as it stands, and prints what it shows', async (page) => {
  const blocks = readPageCode(new URL(`../../docs/${page}.md`, import.meta.url))

  const { printed } = await runPage(blocks, { placeholders })

  expect(printed).not.toBe('')
})
