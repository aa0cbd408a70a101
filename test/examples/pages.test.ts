import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPageCode } from '../support/pages.ts'

const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const blocks = readPageCode(new URL('../../docs/guides/testing-in-process.md', import.meta.url))

test.each(['in-your-tests.test.ts', 'my-receiver.ts'])(
  'the page about testing in process shows the file %s, which the tests run',
  (name) => {
    expect(blocks.find(({ file }) => file === name)?.text).toBe(text(`test/examples/${name}`))
  },
)
