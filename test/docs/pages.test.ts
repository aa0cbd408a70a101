import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPageCode } from '../support/page-code.ts'

const ROOT = new URL('../../', import.meta.url)
const pages = globSync('{README.md,CONTRIBUTING.md,docs/**/*.md}', { cwd: ROOT.pathname })

test('each block of each page says its language, or is a tree or an output', () => {
  const blocks = pages.flatMap((page) =>
    readPageCode(new URL(page, ROOT)).map(({ language, line }) => ({ place: `${page}:${line}`, language })),
  )

  expect(pages.length).toBeGreaterThan(2)
  expect(
    blocks.filter(({ place, language }) => language === '' && !place.startsWith('CONTRIBUTING')),
  ).toEqual([])
})
