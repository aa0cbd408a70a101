import type { ManualPage, PageSection } from '../../sandbox/cli/manuals/manual-page.ts'
import type { Row } from '../../sandbox/cli/manuals/manual.ts'

/** The help of a command as a part of a page. */
export function manualMarkdown({ name, about, sections }: ManualPage): string {
  const rest = sections.filter(({ heading }) => !['Name', 'Synopsis', 'See also'].includes(heading))
  const synopsis = sections.find(({ heading }) => heading === 'Synopsis')?.lines ?? []
  const [others] = sections.find(({ heading }) => heading === 'See also')?.paragraphs ?? []
  return [
    `### ${name}`,
    capitalize(about),
    fence('text', synopsis),
    ...rest.flatMap(sectionBlocks),
    ...(others === undefined ? [] : [`See also: ${others.split(', ').map(linkTo).join(', ')}.`]),
  ].join('\n\n')
}

function sectionBlocks(section: PageSection): readonly string[] {
  const { heading, paragraphs = [], rows = [], examples = [] } = section
  const body = [...paragraphs.map(escapeText), ...(rows.length === 0 ? [] : [tableOf(heading, rows)])]
  if (examples.length > 0) {
    const lines = examples.flatMap(([line, about]) => [...(about === '' ? [] : [`# ${about}`]), line])
    return [fence('sh', lines)]
  }
  const [first = '', ...others] = body
  return heading === 'Description'
    ? body
    : paragraphs.length > 0
      ? [`**${heading}.** ${first}`, ...others]
      : body
}

function tableOf(heading: string, rows: readonly Row[]): string {
  const title = heading.replace(/s(?=,|$)/, '')
  return [
    `| ${title} | |`,
    '| --- | --- |',
    ...rows.map(([term, about]) => `| \`${term.replaceAll('|', String.raw`\|`)}\` | ${escapeText(about)} |`),
  ].join('\n')
}

function fence(language: string, lines: readonly string[]): string {
  return ['```' + language, ...lines, '```'].join('\n')
}

/** As text, whatever is in it that Markdown or Vue would take for theirs. */
function escapeText(text: string): string {
  return text.replaceAll(/[<{|*]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function linkTo(name: string): string {
  const words = name.replace(/^hookbench /, '')
  return `[${words}](#${words.replaceAll(' ', '-')})`
}

function capitalize(text: string): string {
  return `${escapeText(text.slice(0, 1).toUpperCase() + text.slice(1))}.`
}
