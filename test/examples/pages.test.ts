import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPageCode } from '../support/page-code.ts'

const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const blocks = readPageCode(new URL('../../docs/guides/testing-in-process.md', import.meta.url))

test.each(['in-your-tests.test.ts', 'my-receiver.ts'])(
  '"Testing in process" shows %s, which runs here',
  (name) => {
    expect(blocks.find(({ file }) => file === name)?.text).toBe(text(`test/examples/${name}`))
  },
)

test('the README has at most 120 lines, and its two commands', () => {
  const readme = text('README.md')

  expect(readme.split('\n').length).toBeLessThanOrEqual(120)
  expect(readme).toMatch(/^ {4}npm ci && npm start /m)
  expect(readme).toMatch(/^ {4}npm ci && npm test$/m)
})
