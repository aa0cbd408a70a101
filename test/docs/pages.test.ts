import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAGE_TESTS, SESSION } from '../support/page-tests.ts'
import { readPageCode } from '../support/page-code.ts'
import { SECTIONS } from '../../docs/.vitepress/navigation.ts'
import { slugify } from '../../docs/.vitepress/markdown.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const pages = globSync(['AGENTS.md', 'README.md', 'docs/**/*.md'], {
  cwd: ROOT.pathname,
  exclude: ['docs/internals/*'],
}).toSorted()
const blocks = pages.flatMap((page) =>
  readPageCode(new URL(page, ROOT)).map((block) => ({ ...block, page, place: `${page}:${block.line}` })),
)
const left = blocks.flatMap(({ place, notRun }) => (notRun === undefined ? [] : [[place, notRun] as const]))

test('each block of each page says its language', () => {
  expect(blocks.filter(({ language }) => language === '').map(({ place }) => place)).toEqual([])
})

test('the navigation leads to each page, and to no other', () => {
  const listed = SECTIONS.flatMap(([, of]) => of.map(([, path]) => `docs/${path}.md`))

  expect([...listed, 'docs/index.md'].toSorted()).toEqual(
    pages.filter((page) => page.startsWith('docs/')).toSorted(),
  )
})

test('each page with code has a test that runs it, and no other page is listed', () => {
  const withCode = new Set(blocks.filter(({ notRun }) => notRun === undefined).map(({ page }) => page))

  expect(Object.keys(PAGE_TESTS).toSorted()).toEqual([...withCode].toSorted())
})

const others = Object.entries(PAGE_TESTS).filter(([, file]) => file !== SESSION)

test.each(others)('%s is named by %s, which runs it', (page, file) => {
  const name = page.split('/').at(-1) ?? page

  expect([file, ...importsOf(file)].some((path) => read(path).includes(name))).toBe(true)
})

test.each(left)('%s is not run: %s', (_, reason) => {
  expect(reason.length).toBeGreaterThan(10)
})

test('what a page links to on the site is there', () => {
  const anchors = new Map(pages.map((page) => [page, anchorsOf(read(page))]))
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]*\.md)?(?:#([^)]+))?\)/g)].map(([, path, anchor]) => ({
      page,
      target:
        path === undefined ? page : new URL(path, new URL(page, ROOT)).pathname.slice(ROOT.pathname.length),
      anchor,
    })),
  )

  expect(links.length).toBeGreaterThan(100)
  expect(
    links.filter(({ target, anchor }) => anchor !== undefined && anchors.get(target)?.has(anchor) !== true),
  ).toEqual([])
})

/** What of ours a test imports: it may be read there. */
function importsOf(file: string): readonly string[] {
  const paths = [...read(file).matchAll(/ from '(\.[^']+)'/g)].map(
    ([, path = '']) => new URL(path, new URL(file, ROOT)),
  )
  return paths.map(({ pathname }) => pathname.slice(ROOT.pathname.length))
}

/** Of what stands in the page, and in what is included into it. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const included = [...markdown.matchAll(/<!--@include: (?:\.\.\/)*(\S+?)\{/g)].map(([, path = '']) =>
    read(path),
  )
  const headings = [markdown, ...included].flatMap((text) => [...text.matchAll(/^#{1,6} (.+)$/gm)])
  return new Set(headings.map(([, heading = '']) => slugify(heading)))
}
