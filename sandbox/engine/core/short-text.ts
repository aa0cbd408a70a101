export function shortId(id: string): string {
  return id.length > 9 ? `${id.slice(0, 8)}…` : id
}

const MAX_LENGTH = 120

export function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

export function shortJson(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'undefined')
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

/** Formats a duration, such as `12 ms`, `4 s`, `20 min`, `5 h 20 min` or `1 d 4 h`. */
export function duration(durationMs: number): string {
  if (durationMs < 0.995 * SECOND) return `${Math.round(durationMs)} ms`
  if (durationMs < 0.995 * MINUTE) return `${Math.round(durationMs / SECOND)} s`
  if (durationMs < 0.995 * HOUR) return `${Math.round(durationMs / MINUTE)} min`
  if (durationMs < DAY) return twoUnits(durationMs, [HOUR, 'h'], [MINUTE, 'min'])
  return twoUnits(durationMs, [DAY, 'd'], [HOUR, 'h'])
}

type Unit = readonly [unitMs: number, name: string]

function twoUnits(durationMs: number, [largeMs, large]: Unit, [smallMs, small]: Unit): string {
  const smalls = Math.round(durationMs / smallMs)
  const perLarge = largeMs / smallMs
  const rest = smalls % perLarge
  return `${Math.floor(smalls / perLarge)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`
}

/** Makes a text safe for one terminal line. � replaces control characters and changes of the writing direction. ⏎ replaces a line break. */
export function toPrintable(text: string): string {
  const line = text
    .replaceAll(/\r\n|[\n\r\u2028\u2029]/g, '⏎')
    .replaceAll('\t', ' ')
    // oxlint-disable-next-line no-control-regex -- matches the characters to replace
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '�')
  return breakCommand(line)
}

export function toPrintableLines(text: string): string {
  return text.split('\n').map(toPrintable).join('\n')
}

/** Changes a line so that GitHub does not run it as a workflow command. Such commands begin with `::` or contain `##[`. */
export function breakCommand(line: string): string {
  return line.replace(/^(\s*):(?=:)/, '$1: ').replaceAll('##[', '## [')
}

/** Formats JSON and escapes terminal control characters. */
export function toPrintableJson(value: unknown, indent = 0): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, null, indent)
    .replaceAll(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escape)
    .replaceAll('##[', String.raw`##\u005b`)
}
