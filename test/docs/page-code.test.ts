import { expect, test } from 'vitest'
import { parsePageCode } from '../support/page-code.ts'

const PAGE = [
  '# A page',
  '```sh',
  'npx hookbench up &',
  '```',
  '## With a file',
  '1. In a list:',
  '',
  '   ```js {1,3-4} [receiver.mjs] lasting',
  '   const fence = "```"',
  '     indented',
  '   ```',
  '~~~~md [a page.md]',
  '```',
  '~~~~',
  '```yaml [.github/workflows/receiver.yml] not run: it takes a runner of GitHub',
  '```',
  '',
].join('\n')

test('the blocks of a page come with language, file, heading and line', () => {
  expect(parsePageCode(PAGE, 'page.md')).toEqual([
    { language: 'sh', words: [], text: 'npx hookbench up &\n', heading: 'A page', line: 2 },
    {
      language: 'js',
      file: 'receiver.mjs',
      words: ['lasting'],
      text: 'const fence = "```"\n  indented\n',
      heading: 'With a file',
      line: 8,
    },
    { language: 'md', file: 'a page.md', words: [], text: '```\n', heading: 'With a file', line: 12 },
    {
      language: 'yaml',
      file: '.github/workflows/receiver.yml',
      words: [],
      notRun: 'it takes a runner of GitHub',
      text: '',
      heading: 'With a file',
      line: 15,
    },
  ])
})

test('the name of a file may have brackets', () => {
  const page = '```js [app/[type]/[token]/route.js] lasting\n```\n'

  expect(parsePageCode(page, 'page.md')).toMatchObject([
    { language: 'js', file: 'app/[type]/[token]/route.js', words: ['lasting'] },
  ])
})

test('a block without an end is an error that names its line', () => {
  expect(() => parsePageCode('text\n```sh\nls\n', 'page.md')).toThrow('page.md:2: the block has no end')
})
