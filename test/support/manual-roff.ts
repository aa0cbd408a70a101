import type { ManualPage, PageSection } from '../../sandbox/cli/manuals/manual-page.ts'

/** The page of `man` for all commands. */
export function manualRoff(version: string, pages: readonly ManualPage[]): string {
  return [
    `.TH HOOKBENCH 1 "" "hookbench ${version}" "User Commands"`,
    '.SH NAME',
    String.raw`hookbench \- the bench on which a platform builds and proves its webhook receiver`,
    '.SH SYNOPSIS',
    '.B npx hookbench',
    String.raw`.I command`,
    '[options]',
    '.SH DESCRIPTION',
    paragraph(
      'A command finds the running sandbox by its data folder (--data, default .hookbench), or by HOOKBENCH_URL (the address of the bench) and HOOKBENCH_TOKEN.',
    ),
    ...pages.flatMap(pageLines),
    '',
  ].join('\n')
}

function pageLines({ name, about, sections }: ManualPage): readonly string[] {
  const [synopsis, ...rest] = sections.filter(({ heading }) => heading !== 'Name')
  return [
    `.SH "HOOKBENCH ${name.toUpperCase()}"`,
    paragraph(`${about.slice(0, 1).toUpperCase()}${about.slice(1)}.`),
    '.PP',
    ...(synopsis?.lines ?? []).map((line) => `.nf\n${escapeLine(line)}\n.fi`),
    ...rest.flatMap(sectionLines),
  ]
}

function sectionLines({
  heading,
  paragraphs = [],
  rows = [],
  examples = [],
}: PageSection): readonly string[] {
  return [
    `.SS "${heading}"`,
    ...paragraphs.flatMap((text) => [paragraph(text), '.PP']),
    ...rows.flatMap(([term, about]) => ['.TP', `.B ${escapeLine(term)}`, paragraph(about)]),
    ...examples.flatMap(([line, about]) => ['.TP', escapeLine(line), paragraph(about)]),
  ]
}

function paragraph(text: string): string {
  return escapeLine(text)
}

/** As text: a backslash stands for itself, a hyphen for a minus, and no line begins with what asks for something. */
function escapeLine(text: string): string {
  const line = text
    .replaceAll('\\', String.raw`\(rs`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll('…', '...')
    .replaceAll('✓', '+')
    .replaceAll('✗', 'x')
  return /^[.']/.test(line) ? String.raw`\&${line}` : line
}
