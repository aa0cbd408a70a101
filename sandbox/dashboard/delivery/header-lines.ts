/** Headers as they are typed, one on each line. */
export type HeaderLines =
  | { readonly kind: 'headers'; readonly headers: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'wrong'; readonly message: string }

/** The sandbox judges what may be sent; here is only said what cannot be read, or would be lost. */
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
