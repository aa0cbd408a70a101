import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PageCode {
  /** The language of the fence: `sh`, `ts` or `text`. Empty if the fence names no language. */
  readonly language: string
  /** The file name in the fence, such as `[receiver.mjs]`. */
  readonly file?: string
  readonly words: readonly string[]
  readonly notRun?: string
  /** The code without fences and their indentation. Ends with a line break. */
  readonly text: string
  /** The heading above the block. Empty before the first heading. */
  readonly heading: string
  readonly line: number
}

/** A file name may contain brackets, as in the route folders of Next.js. */
const FILE = /\[((?:[^[\]]|\[[^\]]*\])+)\]/

const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/

/** Returns the code blocks of a page. Throws if a block is not closed. */
export function readPageCode(path: string | URL): readonly PageCode[] {
  return parsePageCode(readFileSync(path, 'utf8'), String(path))
}

function parsePageCode(markdown: string, page: string): readonly PageCode[] {
  const lines = markdown.split('\n')
  const blocks: PageCode[] = []
  let heading = ''
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    heading = /^#{1,6} (.+)$/.exec(line)?.[1] ?? heading
    const [, indent = '', fence, info = ''] = FENCE.exec(line) ?? []
    if (fence === undefined) continue
    const end = lines.findIndex((other, index) => index > at && other.trim() === fence)
    if (end < 0) throw new SyntaxError(`${page}:${at + 1}: the block has no end`)
    const text = lines
      .slice(at + 1, end)
      .map((row) => `${row.startsWith(indent) ? row.slice(indent.length) : row.trimStart()}\n`)
      .join('')
    blocks.push({ ...parseInfo(info), text, heading, line: at + 1 })
    at = end
  }
  return blocks
}

function parseInfo(info: string): Pick<PageCode, 'language' | 'file' | 'words' | 'notRun'> {
  const [spec = '', notRun] = info.split(/\bnot run: /)
  const file = FILE.exec(spec)?.[1]
  const [language = '', ...words] = spec
    .replace(FILE, ' ')
    .replace(/\{[\d,-]+\}/g, ' ')
    .trim()
    .split(/\s+/)
  return {
    language,
    words,
    ...(file !== undefined && { file }),
    ...(notRun !== undefined && { notRun: notRun.trim() }),
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const { repository, homepage }: { readonly repository: { readonly url: string }; readonly homepage: string } =
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const REPOSITORY = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

const RAW = REPOSITORY.replace('//github.com/', '//raw.githubusercontent.com/')

export function listLinks(page: string): string[] {
  const text = withoutCode(page)
  const found = [
    ...text.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g),
    ...text.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g),
    ...text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm),
  ]
  return found.map(([, target = '']) => target)
}

/** Returns why a link is broken. Links to the repository and the site are resolved in this checkout. Makes no requests. */
export function findBroken(link: string, page: string, folder: string): string | undefined {
  const [target = '', anchor = ''] = link.split('#')
  if (/^https?:/.test(target)) return findBrokenAddress(target, anchor)
  if (target.startsWith('mailto:')) return undefined
  const file = target === '' ? join(folder, page) : join(folder, dirname(page), decodeURI(target))
  if (!existsSync(file)) return 'it is not in the package'
  return findBrokenAnchor(file, anchor)
}

function findBrokenAddress(target: string, anchor: string): string | undefined {
  if (target.startsWith(homepage)) {
    const path = target.slice(homepage.length).replace(/\.html$/, '')
    const pages = [`docs/${path}.md`, `docs/${path.replace(/\/$/, '')}/index.md`, `docs/public/${path}`]
    const file = pages.map((page) => join(ROOT, page)).find((page) => existsSync(page))
    return file === undefined ? 'there is no such page of the site' : findBrokenAnchor(file, anchor)
  }
  const [, path] = new RegExp(`^(?:${REPOSITORY}/(?:blob|tree|raw)|${RAW})/main/(.+)$`).exec(target) ?? []
  if (path === undefined) return undefined
  return existsSync(join(ROOT, path))
    ? findBrokenAnchor(join(ROOT, path), anchor)
    : 'the repository has no such file'
}

function findBrokenAnchor(file: string, anchor: string): string | undefined {
  if (anchor === '' || !file.endsWith('.md')) return undefined
  const text = readFileSync(file, 'utf8')
  const headings = [...withoutCode(text, { fencedOnly: true }).matchAll(/^#+ +(.*)$/gm)].map(
    ([, heading = '']) => anchorOf(heading),
  )
  const named = [...text.matchAll(/\b(?:id|name)="([^"]+)"|\{#([\w-]+)\}/g)].map(([, id, own]) => id ?? own)
  return [...headings, ...named].includes(anchor) ? undefined : 'the page has no such heading'
}

function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

function withoutCode(page: string, { fencedOnly = false } = {}): string {
  const text = page.replaceAll(/^( *)(`{3,}|~{3,})[^]*?^\1\2/gm, '')
  return fencedOnly ? text : text.replaceAll(/`[^`\n]*`/g, '')
}

/**
 * Returns the first line of a page that is missing from the output. The comparison ignores ids, tokens, times and numbers. `…`
 * matches any text, including omitted lines.
 */
export function missingLine(shown: string, printed: string): string | undefined {
  const lines = toLines(printed)
  let at = 0
  for (const line of toLines(shown)) {
    if (line === '…') continue
    const pattern = toPattern(line)
    const found = lines.findIndex((other, index) => index >= at && pattern.test(other))
    if (found < 0) return line
    at = found + 1
  }
  return undefined
}

function toLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
}

const CHANGING = /[\w.:+-]*\d[\w.:+-]*…?/g

function toPattern(line: string): RegExp {
  const literal = (text: string) =>
    text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('…', '.*')
  const fixed = line.split(CHANGING).map(literal)
  return new RegExp(`^${fixed.join(String.raw`[\w.:+-]+…?`)}$`)
}

export const SESSION = 'test/end-to-end/pages.test.ts'

const RECEIVERS = 'test/end-to-end/receiver-pages.test.ts'

export const PAGE_TESTS: Readonly<Record<string, string>> = {
  'README.md': SESSION,
  'docs/tutorial.md': SESSION,
  'docs/frameworks.md': 'test/end-to-end/test-frameworks.test.ts',
  'docs/how-a-good-receiver-works.md': SESSION,
  'docs/install.md': '.github/workflows/binaries.yml',
  'docs/guides/ci.md': 'test/end-to-end/ci-page.test.ts',
  'docs/guides/coding-agents.md': SESSION,
  'docs/guides/containers.md': '.github/workflows/binaries.yml',
  'docs/guides/faults-cookbook.md': SESSION,
  'docs/guides/generate.md': SESSION,
  'docs/guides/deliver.md': SESSION,
  'docs/guides/effects.md': SESSION,
  'docs/guides/listening.md': 'test/end-to-end/listening/main.ts',
  'docs/guides/load.md': SESSION,
  'docs/guides/migrating.md': SESSION,
  'docs/guides/explore.md': SESSION,
  'docs/guides/payments.md': SESSION,
  'docs/guides/rehearse.md': SESSION,
  'docs/guides/sandbox.md': SESSION,
  'docs/guides/service-api.md': SESSION,
  'docs/guides/shared-sandbox.md': 'test/end-to-end/check-world-page.test.ts',
  'docs/guides/testing-in-process.md': SESSION,
  'docs/guides/time.md': SESSION,
  'docs/guides/worlds.md': SESSION,
  'docs/reference/commands.md': 'test/sandbox/cli/examples.test.ts',
  'docs/reference/configuration.md': SESSION,
  'docs/reference/control-api.md': SESSION,
  'docs/reference/package.md': 'test/end-to-end/package-contents.test.ts',
  'docs/reference/readings.md': SESSION,
  'docs/reference/types.md': SESSION,
  'docs/receivers/express.md': RECEIVERS,
  'docs/receivers/fastify.md': RECEIVERS,
  'docs/receivers/flask.md': RECEIVERS,
  'docs/receivers/hono.md': RECEIVERS,
  'docs/receivers/how-they-work.md': RECEIVERS,
  'docs/receivers/next.md': RECEIVERS,
  'docs/receivers/php.md': RECEIVERS,
  'docs/receivers/python.md': RECEIVERS,
  'docs/receivers/rack.md': RECEIVERS,
  'docs/shell.md': 'test/end-to-end/shell-page.test.ts',
}
