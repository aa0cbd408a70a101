import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { repository, homepage }: { readonly repository: { readonly url: string }; readonly homepage: string } =
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const REPOSITORY = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
const RAW = REPOSITORY.replace('//github.com/', '//raw.githubusercontent.com/')

/** What a page of Markdown leads to: its links and its pictures. */
export function listLinks(page: string): string[] {
  const text = withoutCode(page)
  const found = [
    ...text.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g),
    ...text.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g),
    ...text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm),
  ]
  return found.map(([, target = '']) => target)
}

/**
 * Why a link of a page in a folder leads nowhere; undefined if it leads somewhere. Relative ones have to be in the folder; those to the
 * repository and to the site are looked for in this checkout. Nothing is fetched.
 */
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

/** As GitHub makes it of a heading. */
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
