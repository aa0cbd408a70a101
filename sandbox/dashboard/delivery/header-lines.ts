/** Headers as typed, one on each line. */
export type HeaderLines =
  | { readonly kind: 'headers'; readonly headers: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'wrong'; readonly message: string }

/** Reports lines that cannot be read. The sandbox judges the headers. */
export function parseHeaderLines(text: string): HeaderLines {
  const headers = new Map<string, readonly [string, string]>()
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, name, value = ''] = /^\s*([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined)
      return { kind: 'wrong', message: `Cannot read "${line.trim()}": write name: value` }
    if (headers.has(name.toLowerCase()))
      return { kind: 'wrong', message: `Cannot send "${name}" twice: give it once, with its values joined` }
    headers.set(name.toLowerCase(), [name, value])
  }
  return { kind: 'headers', headers: [...headers.values()] }
}
