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

/** GitHub draws the state diagrams of the reference. Here the tables below them, which say the same, stand alone. */
export const withoutDiagrams: Extend = ({ renderer: { rules } }) => {
  const { fence } = rules
  rules.fence = (tokens, index, ...rest) =>
    tokens[index]?.info === 'mermaid' ? '' : (fence?.(tokens, index, ...rest) ?? '')
}
