import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

/** The nth code block of the README's section, from 0. */
function readmeBlock(section: string, index: number): string | undefined {
  return [...readmeSection(section).matchAll(/^```ts\n([^]*?)^```$/gm)][index]?.[1]
}

function readmeSection(section: string): string {
  const [, rest = ''] = text('README.md').split(`\n## ${section}\n`)
  const [own = ''] = rest.split(/\n## /)
  return own
}

test('the README names whatever the package exports', () => {
  const { exports }: { readonly exports: Readonly<Record<string, unknown>> } = JSON.parse(
    text('package.json'),
  )
  const names = Object.keys(exports)
    .filter((path) => path !== './package.json')
    .map((path) => path.replace(/^\./, 'hookbench'))
  const named = readmeSection('What the package exports').matchAll(/`(hookbench[\w./-]*)`/g)

  expect(new Set([...named].map(([, name]) => name))).toEqual(new Set(names))
})

test.each([
  [0, 'in-your-tests.test.ts'],
  [1, 'my-receiver.ts'],
])('block %d of "In your tests" is %s, which runs', (index, name) => {
  expect(readmeBlock('In your tests', index)).toBe(text(`test/examples/${name}`))
})

test('a block of the README is found by its section and its number', () => {
  expect(readmeBlock('In your tests', 0)).toMatch(/^import \{ createSandbox \} from 'hookbench'\n/)
  expect(readmeBlock('In your tests', 9)).toBeUndefined()
})
