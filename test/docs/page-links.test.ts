import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findBroken, listLinks } from '../support/page-links.ts'

const REPOSITORY = 'https://github.com/hookbench/hookbench'
const PAGE = `# A heading: with \`code\`, and more

[there](there.md#a-heading-with-code-and-more) and [here](#a-heading-with-code-and-more), [gone](gone.md "Gone"), [nowhere](#nowhere)
![picture](docs/picture.png) <source srcset="other.png"> \`[no](link)\`

\`\`\`md
[no](link)
\`\`\`

[named]: named.md
`

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-links-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'PAGE.md'), PAGE)
  writeFileSync(join(folder, 'there.md'), PAGE)
  return folder
}

test('the links of a page are found, also those of its pictures, and none in its code', () => {
  expect(listLinks(PAGE)).toEqual([
    'there.md#a-heading-with-code-and-more',
    '#a-heading-with-code-and-more',
    'gone.md',
    '#nowhere',
    'docs/picture.png',
    'other.png',
    'named.md',
  ])
})

test('a link into the folder leads nowhere where the file or the heading is not there', () => {
  const folder = makeFolder()

  expect(listLinks(PAGE).map((link) => findBroken(link, 'PAGE.md', folder))).toEqual([
    undefined,
    undefined,
    'it is not in the package',
    'the page has no such heading',
    'it is not in the package',
    'it is not in the package',
    'it is not in the package',
  ])
})

test.each([
  [`${REPOSITORY}/blob/main/LICENSE`, undefined],
  [`${REPOSITORY}/blob/main/LICENCE`, 'the repository has no such file'],
  [`${REPOSITORY}/blob/main/ARCHITECTURE.md#the-way-of-one-check`, undefined],
  [`${REPOSITORY}/blob/main/ARCHITECTURE.md#the-way`, 'the page has no such heading'],
  [
    'https://raw.githubusercontent.com/hookbench/hookbench/main/docs/nothing.png',
    'the repository has no such file',
  ],
  ['https://hookbench.github.io/hookbench/reference/package', undefined],
  ['https://hookbench.github.io/hookbench/reference/package.html#typescript', undefined],
  ['https://hookbench.github.io/hookbench/', undefined],
  ['https://hookbench.github.io/hookbench/nothing', 'there is no such page of the site'],
  ['https://github.com/mswjs/data', undefined],
])('a link to %s: %s', (link, why) => {
  expect(findBroken(link, 'PAGE.md', '/')).toBe(why)
})
