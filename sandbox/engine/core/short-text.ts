/** The beginning of an id, which is enough to tell it from others. */
export function shortId(id: string): string {
  return id.length > 9 ? `${id.slice(0, 8)}…` : id
}

const MAX_LENGTH = 120

/** A text for a message, cut after 120 characters. */
export function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

/** A value as JSON for a message, cut after 120 characters. */
export function shortJson(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'undefined')
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

/** `12 ms`, `4 s`, `20 min`, `5 h 20 min`, `1 d 4 h`: as exact as a person needs. */
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
