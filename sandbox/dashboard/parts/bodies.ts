import { diffArrays } from 'diff/lib/diff/array.js'

/** Formats JSON with one field on each line. Keeps numbers and strings as written. Undefined if the text is not JSON. */
export function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  let depth = 0
  const newLine = (by: number) => `\n${'  '.repeat((depth += by))}`
  return Array.from(text.matchAll(TOKENS), ([token]) => {
    if (token === '{' || token === '[') return token + newLine(1)
    if (token === '}' || token === ']') return newLine(-1) + token
    if (token === ',') return token + newLine(0)
    return token === ':' ? ': ' : token.replaceAll(EMPTY, '$1$2')
  }).join('')
}

const EMPTY = /^([{[])\s*([}\]])$/g
const TOKENS = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s"{}[\],:]+/g

const MAX_CHANGED_LINES = 300

/** Returns the changes between the lines of two texts, or undefined if too many lines differ. */
export function diffLines(before: string, after: string) {
  return diffArrays(before.split('\n'), after.split('\n'), { maxEditLength: MAX_CHANGED_LINES })
}

/** Splits a text at invisible and direction-changing characters, shown by names such as `U+202E`. Keeps line breaks and tabs. */
export function splitOddCharacters(text: string) {
  return text
    .split(ODD)
    .map((part, index) => ({ text: index % 2 === 1 ? nameOf(part) : part, isOdd: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

const ODD =
  // oxlint-disable-next-line no-control-regex -- these are the characters to name
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff])/

function nameOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
