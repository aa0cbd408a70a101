const WIDTH = 110

/** A JSON value as a TypeScript literal in few lines: what fits into one stays in one. */
export function valueText(value: unknown, indent = ''): string {
  const flat = onOneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= WIDTH) return flat
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((child) => valueText(child, inner))
    : Object.entries(value).map(([key, child]) => `${keyText(key)}: ${valueText(child, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return [open, ...lines.map((line) => `${inner}${line},`), `${indent}${close}`].join('\n')
}

function onOneLine(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, child]) => `${keyText(key)}: ${onOneLine(child)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)
}

function quoted(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)
  return `'${inside}'`
}
