import { deref, type JsonSchema, type JsonSchemas } from '../../spec/json-schema.ts'

export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(headings), `|${headings.map(() => '---').join('|')}|`, ...rows.map(line), '']
}

function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/`[^`]*`|</g, (part) => (part === '<' ? '&lt;' : part))
    .trim()
}

export function origin(from: object): string {
  const [source, reading] = ['source', 'reading'].map((key): unknown => Reflect.get(from, key))
  const parts = [
    typeof source === 'string' ? source : '',
    typeof reading === 'string' ? `reading \`${reading}\`` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

export function fieldTable(schema: JsonSchema, schemas: JsonSchemas, prefix = ''): string[] {
  return markdownTable(['Field', 'Type', 'What', 'From'], fieldRows(schema, schemas, prefix))
}

function fieldRows(schema: JsonSchema, schemas: JsonSchemas, prefix: string): string[][] {
  const { properties = {}, required = [] } = deref(schema, schemas)
  return Object.entries(properties).flatMap(([name, field]) => {
    const target = deref(field, schemas)
    const presence = required.includes(name) ? '' : ', not always there'
    const row = [
      `\`${prefix}${name}\``,
      `${typeText(target)}${presence}`,
      field.description ?? target.description ?? '',
      origin({
        source: field['x-source'] ?? target['x-source'],
        reading: field['x-reading'] ?? target['x-reading'],
      }),
    ]
    const inner = target.type === 'array' ? deref(target.items ?? {}, schemas) : target
    const path = target.type === 'array' ? `${prefix}${name}[].` : `${prefix}${name}.`
    return [row, ...(inner.properties ? fieldRows(inner, schemas, path) : [])]
  })
}

function typeText({ type, const: constant, enum: values, oneOf }: JsonSchema): string {
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``
  if (values) return values.map((value) => `\`${String(value)}\``).join(' ')
  if (oneOf) return 'one of several kinds'
  return typeof type === 'string' ? type : (type ?? []).join(' or ')
}
