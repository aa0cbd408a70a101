/** A table of a Markdown page; cells may hold any text. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(headings), `|${headings.map(() => '---').join('|')}|`, ...rows.map(line), '']
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()
}

/** Where something is from: a section of the service's document, a reading of ours, or both. */
export function origin(from: object): string {
  const [source, reading] = ['source', 'reading'].map((key): unknown => Reflect.get(from, key))
  const parts = [
    typeof source === 'string' ? source : '',
    typeof reading === 'string' ? `reading \`${reading}\`` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}
