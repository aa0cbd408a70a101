import { readFileSync } from 'node:fs'

/** A fenced block of a page. */
export interface PageCode {
  /** As the fence says it: `sh`, `ts`, `text`; empty if it says none. */
  readonly language: string
  /** The file that the block is, as `[receiver.mjs]` in the fence says it. */
  readonly file?: string
  /** Words of the fence beside language and file: what a test has to know to run it. */
  readonly words: readonly string[]
  /** Why no test runs it: what the fence says after `not run:`. */
  readonly notRun?: string
  /** Without the fences and the indentation that they have, ending with a line break. */
  readonly text: string
  /** The heading that it stands under; empty before the first. */
  readonly heading: string
  /** That of the opening fence, from 1. */
  readonly line: number
}

/** In brackets, which may have others within, as the folders of a route of Next.js have. */
const FILE = /\[((?:[^[\]]|\[[^\]]*\])+)\]/
const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/

/** The fenced blocks of a Markdown file, in their order. Throws where one is not closed. */
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
