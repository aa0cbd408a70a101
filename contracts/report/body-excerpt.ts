/** A body up to this length is shown whole; of a longer one, so much of the part that decided. */
const MOST_CHARACTERS = 4_500
const PART = 2_000

/** How to get what a report leaves out. */
export const FULL_REPORT = '--html FILE or --report-json FILE, with --report-full,'

/** A body, or the part around the field that decided and how to see the rest; the beginning if no field decided. */
export function excerptBody(body: string, field?: string): string {
  if (body.length <= MOST_CHARACTERS) return body
  const found = field === undefined ? -1 : body.indexOf(`"${field}"`)
  const start = Math.max(0, Math.min(found - PART / 2, body.length - PART))
  const end = start + PART
  const before = start === 0 ? '' : `(${start} characters) … `
  const after = end >= body.length ? '' : ` … (${body.length - end} more characters)`
  return `${before}${body.slice(start, end)}${after}; ${FULL_REPORT} shows all ${body.length} characters`
}
