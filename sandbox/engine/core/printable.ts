/** Text in one line that cannot move the cursor, ring the bell or turn the line around; ⏎ stands for a line break. */
export function toPrintable(text: string): string {
  const line = text
    .replaceAll(/\r\n|[\n\r\u2028\u2029]/g, '⏎')
    .replaceAll('\t', ' ')
    // oxlint-disable-next-line no-control-regex -- these are the characters to take out
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '�')
  return breakCommand(line)
}

/** The same of each line of a text. */
export function toPrintableLines(text: string): string {
  return text.split('\n').map(toPrintable).join('\n')
}

/** A line that the log of a GitHub workflow does not take for a command: those begin with `::`, or have `##[` anywhere. */
export function breakCommand(line: string): string {
  return line.replace(/^(\s*):(?=:)/, '$1: ').replaceAll('##[', '## [')
}

/** JSON that says the same, with escapes for what would steer a terminal that it is printed on. */
export function toPrintableJson(value: unknown, indent = 0): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, null, indent)
    .replaceAll(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escape)
    .replaceAll('##[', String.raw`##\u005b`)
}
