import { readFileSync } from 'node:fs'
import { SECTIONS } from './navigation.ts'

/** The URL of the documentation site. */
const SITE = 'https://hookbench.github.io/hookbench'

const ABOUT =
  'A local sandbox of a payments service, and checks (contract tests) for webhook receivers of platforms that use the service. Hookbench runs offline, with Node 22.19 or newer, or as a single file.'

/** Returns the files for language models: a list of all pages with summaries, and the text of all pages. */
export function llmsFiles(): Readonly<Record<'llms.txt' | 'llms-full.txt', string>> {
  const sections = SECTIONS.map(([title, pages]) => ({
    title,
    pages: pages.map(([name, path]) => ({ name, path, text: readPage(path) })),
  }))
  const head = ['# Hookbench', '', `> ${ABOUT}`, '']
  const list = sections.flatMap(({ title, pages }) => [
    `## ${title}`,
    '',
    ...pages.map(({ name, path, text }) => `- [${name}](${SITE}/${path}): ${summarize(text)}`),
    '',
  ])
  const all = sections.flatMap(({ pages }) =>
    pages.flatMap(({ path, text }) => ['', '---', '', `Source: ${SITE}/${path}`, '', text.trim(), '']),
  )
  return {
    'llms.txt': [
      ...head,
      `How to make every check pass, step by step: ${SITE}/guides/coding-agents`,
      '',
      ...list,
    ].join('\n'),
    'llms-full.txt': [...head, ...all].join('\n'),
  }
}

/** Reads a page and inserts the text of included files. */
function readPage(path: string): string {
  const url = new URL(`../${path}.md`, import.meta.url)
  return readFileSync(url, 'utf8')
    .replaceAll(/<!--@include: (\S+?)\{(\d+),\}-->/g, (_, target: string, from: string) =>
      readFileSync(new URL(target, url), 'utf8')
        .split('\n')
        .slice(Number(from) - 1)
        .join('\n'),
    )
    .replaceAll(/^<TryIt \/>\n/gm, '')
}

/** The maximum length of a summary in characters. Only a long first sentence can exceed this length. */
const MOST_CHARACTERS = 240

function summarize(text: string): string {
  const paragraph = text.split(/\n\n+/).find((part) => /^[\p{L}`[*]/u.test(part)) ?? ''
  const plain = paragraph.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  const sentences = plain.match(/.+?[.:](?= |$)/g) ?? [plain]
  let summary = ''
  for (const sentence of sentences) {
    if (summary !== '' && summary.length + sentence.length > MOST_CHARACTERS) break
    summary += sentence
  }
  return summary.trim().replace(/:$/, '.')
}
