/** A part of a text: as it stands, or a character that would not show, or would change how the others do. */
export interface TextPart {
  readonly text: string
  readonly isOdd: boolean
}

/** The parts of a text, with names such as `U+202E` for what is odd; line breaks and tabs stay. */
export function splitOddCharacters(text: string): readonly TextPart[] {
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
