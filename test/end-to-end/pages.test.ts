import { expect, test } from 'vitest'
import { readPageCode, type PageCode } from '../support/page-code.ts'
import { runPage } from '../support/page-session.ts'
import { PAGE_TESTS, SESSION } from '../support/page-tests.ts'

/** Each takes some ten seconds: `npm run test:docs` runs them all. */
const isWhole = process.env['HOOKBENCH_DOCS'] === 'whole'

/** What a page writes for something that a command has printed. */
const placeholders = {
  ID: /^Created \S+ ([0-9a-f-]{36})/,
  ITEM: /^Created items ([0-9a-f-]{36})/,
  JOB: /^([0-9a-f-]{36}) .* (?:success|failed) /,
  PAYMENT: /^Payment ([0-9a-f-]{36}):/,
}

/** Pages that go on with the files of another one, as these are there at first. */
const FILES_FROM: Readonly<Record<string, string>> = { 'docs/guides/rehearse.md': 'docs/guides/green.md' }

const read = (page: string) => readPageCode(new URL(`../../${page}`, import.meta.url))
const pages = Object.keys(PAGE_TESTS).filter((page) => PAGE_TESTS[page] === SESSION)

test.runIf(isWhole).each(pages)('%s runs as it stands, and prints what it shows', async (page) => {
  const { printed } = await runPage([...firstFiles(page), ...read(page)], { placeholders })

  expect(printed).not.toBe('')
})

function firstFiles(page: string): readonly PageCode[] {
  const other = FILES_FROM[page]
  const files = other === undefined ? [] : read(other).filter(({ file }) => file !== undefined)
  return files.filter(({ file }, index) => files.findIndex((one) => one.file === file) === index)
}
