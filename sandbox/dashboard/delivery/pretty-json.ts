/** The same JSON with a field on each line; numbers and strings stay as they were written. Undefined if it is not JSON. */
export function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  let depth = 0
  let pretty = ''
  const newLine = () => `\n${'  '.repeat(depth)}`
  for (const [token] of text.matchAll(TOKENS)) {
    if (EMPTY.test(token)) pretty += token.replaceAll(/\s/g, '')
    else if (token === '{' || token === '[') {
      depth++
      pretty += token + newLine()
    } else if (token === '}' || token === ']') {
      depth--
      pretty += newLine() + token
    } else if (token === ',') pretty += token + newLine()
    else pretty += token === ':' ? ': ' : token
  }
  return pretty
}

const EMPTY = /^(\{\s*\}|\[\s*\])$/
const TOKENS = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s"{}[\],:]+/g
