import { expect, test } from 'vitest'
import { PAGE_TESTS, type PageCode, readPageCode, SESSION } from '../support/pages.ts'
import { runPage } from './page-session.ts'

const placeholders = {
  ID: /^Created \S+ ([0-9a-f-]{36})/,
  ITEM: /^Created items ([0-9a-f-]{36})/,
  JOB: /^([0-9a-f-]{36}) .* (?:success|failed) /,
  PAYMENT: /^Payment ([0-9a-f-]{36}):/,
}

const read = (page: string) => readPageCode(new URL(`../../${page}`, import.meta.url))
const pages = Object.keys(PAGE_TESTS).filter((page) => PAGE_TESTS[page] === SESSION)

test.each(pages)(
  'the documentation page %s runs as written and prints the shown output',
  { tags: ['bash', 'curl', 'namespaces'] },
  async (page) => {
    const { printed } = await runPage([...(BEFORE[page]?.() ?? []), ...read(page), ...(AFTER[page] ?? [])], {
      placeholders,
    })

    expect(printed).not.toBe('')
  },
)

const BEFORE: Readonly<Record<string, () => readonly PageCode[]>> = {
  'README.md': carefulReceiver,
  'docs/guides/coding-agents.md': carefulReceiver,
  'docs/guides/deliver.md': sandboxWithReceiver,
  'docs/guides/explore.md': firstShop,
  'docs/guides/load.md': firstShop,
  'docs/guides/payments.md': sandboxWithReceiver,
  'docs/guides/rehearse.md': firstShop,
  'docs/guides/service-api.md': sandboxWithReceiver,
}

function sandboxWithReceiver(): readonly PageCode[] {
  const blocks = read('docs/guides/sandbox.md')
  return blocks.slice(
    0,
    blocks.findIndex(({ heading }) => heading === 'Create and change objects'),
  )
}

/** Returns the defective shop from the effects guide. */
function firstShop(): readonly PageCode[] {
  const files = read('docs/guides/effects.md').filter(({ file }) => file !== undefined)
  return files.filter(({ file }, index) => files.findIndex((one) => one.file === file) === index)
}

const AFTER: Readonly<Record<string, readonly PageCode[]>> = {
  'README.md': [command('npx vitest run readme')],
}

/** Returns the finished receiver from the tutorial. */
function carefulReceiver(): readonly PageCode[] {
  const tutorial = read('docs/tutorial.md')
  return [
    ...tutorial.filter(({ file }) => file === 'receiver.mjs').slice(1),
    command('npx hookbench cert localhost'),
    ...tutorial.filter(({ text }) => text === 'node receiver.mjs\n').slice(0, 1),
  ]
}

function command(text: string): PageCode {
  return { language: 'sh', words: [], text, heading: '', line: 0 }
}
