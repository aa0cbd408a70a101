import type { MarkdownOptions } from 'vitepress'

type Extend = NonNullable<MarkdownOptions['config']>

const CHECK_ID = /^[a-z]+\/[a-z-]+$/

/** Returns the anchor of a heading, as GitHub creates it. The anchor of a check is the check's id, as in reports. */
export function slugify(heading: string): string {
  if (CHECK_ID.test(heading)) return heading
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** Shows the file name above a code block. Omits Mermaid diagrams, because the tables below the diagrams have the same content. */
export const extendFences: Extend = ({ renderer: { rules }, utils }) => {
  const { fence } = rules
  rules.fence = (tokens, index, ...rest) => {
    const info = tokens[index]?.info ?? ''
    const file = /\[(.+?)\]/.exec(info)?.[1]
    const name = file === undefined ? '' : `<div class="file-name">${utils.escapeHtml(file)}</div>`
    return info === 'mermaid' ? '' : `${name}${fence?.(tokens, index, ...rest) ?? ''}`
  }
}
