const DATE = String.raw`(\d{4})-(\d{2})-(\d{2})`
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)`

/** What text of a format looks like. A format that is not here cannot be checked. */
export const FORMATS: Readonly<Record<string, RegExp>> = {
  date: new RegExp(`^${DATE}$`),
  'date-time': new RegExp(`^${DATE}[t ]${TIME}$`, 'i'),
  email:
    /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z\d]([a-z\d-]*[a-z\d])?$/i,
  hostname: /^(?=.{1,253}\.?$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*\.?$/i,
  ipv4: /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.|$)){4}(?<!\.)$/,
  time: new RegExp(`^${TIME}$`, 'i'),
  uri: /^[a-z][a-z\d+.-]*:([\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i,
  uuid: /^(urn:uuid:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
}

/** Whether text is of a format; a date must be one of the calendar. */
export function isOfFormat(text: string, format: string): boolean {
  if (FORMATS[format]?.test(text) !== true) return false
  if (!format.startsWith('date')) return true
  const [year, month, day] = text.slice(0, 10).split('-').map(Number)
  const date = new Date(Date.UTC(2000, 0, 1))
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day)
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day
}
