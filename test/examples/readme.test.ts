import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The nth code block of the README's section, from 0. */
function readmeBlock(section: string, index: number): string | undefined {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, text = ''] = readme.split(`\n## ${section}\n`)
  const [own = ''] = text.split(/\n## /)
  return [...own.matchAll(/^```ts\n([^]*?)^```$/gm)][index]?.[1]
}

// Skipped until the README has these texts.
test.each([
  [0, 'in-your-tests.test.ts'],
  [1, 'my-receiver.ts'],
])('block %d of "In your tests" is %s, which runs', (index, name) => {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')

  expect(readmeBlock('In your tests', index)).toBe(text)
})

test('a block of the README is found by its section and its number', () => {
  expect(readmeBlock('In your tests', 0)).toMatch(/^import \{ createSandbox \} from 'hookbench'\n/)
  expect(readmeBlock('In your tests', 9)).toBeUndefined()
})
