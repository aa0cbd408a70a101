import type { MarkdownOptions } from 'vitepress'

type Extend = NonNullable<MarkdownOptions['config']>

const CHECK_ID = /^[a-z]+\/[a-z-]+$/

/** The anchor of a heading, as GitHub makes it; that of a check is its id, as reports print it. */
export function slugify(heading: string): string {
  if (CHECK_ID.test(heading)) return heading
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/**
 * A block that is a file has its name above it. GitHub draws the state diagrams of the reference; here the tables below them, which say
 * the same, stand alone.
 */
export const extendFences: Extend = ({ renderer: { rules }, utils }) => {
  const { fence } = rules
  rules.fence = (tokens, index, ...rest) => {
    const info = tokens[index]?.info ?? ''
    const file = /\[(.+?)\]/.exec(info)?.[1]
    const name = file === undefined ? '' : `<div class="file-name">${utils.escapeHtml(file)}</div>`
    return info === 'mermaid' ? '' : `${name}${fence?.(tokens, index, ...rest) ?? ''}`
  }
}
