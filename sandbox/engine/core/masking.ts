import { isPredictable } from './secret-strength.ts'

export const MASK = '***'

const SECRET_NAME =
  /(^|[-_.\]])auth($|[-_.[])|authorization|cookie|passw|passphrase|pwd|secret|token|credential|session|(api|access|private)[-_]?key|^(key|code|sig|signature)$/i

/** The names of headers that contain secrets. A signature is not masked, because it does not reveal the secret. */
const SECRET_HEADER =
  /authorization|cookie|passw|secret|token|credential|session|(api|access|auth)[-_]?key|^x-auth/i

export function maskHeaders(
  headers: readonly (readonly [name: string, value: string])[],
  mask: (text: string) => string = maskText,
): [name: string, value: string][] {
  return headers.map(([name, value]) => [name, SECRET_HEADER.test(name) ? '(left out)' : mask(value)])
}

/** The names of JSON fields that contain credentials. Fields such as `token_type` are not masked. */
const SECRET_FIELD =
  /authorization|cookie|passw|passphrase|pwd|secret|tokens?$|credential|(api|access|private)[-_]?key/i

export function maskText(text: string): string {
  return maskFields(text)
    .replaceAll(/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#"<>]+@/gi, `$1${MASK}@`)
    .replaceAll(
      /(^|[?&#;])([^=&?#;\s"'<>]{1,100})=([^&#;\s"'<>]+)/g,
      (whole: string, mark: string, name: string) =>
        SECRET_NAME.test(name) ? `${mark}${name}=${MASK}` : whole,
    )
    .replaceAll(/\b(bearer|basic)(\s+)[\w.~+/-]{16,}=*/gi, `$1$2${MASK}`)
}

const FIELD = /(\\{0,3}")([\w.-]{1,100})\1(\s{0,20}:\s{0,20})\1((?:(?!\1)(?:\\.|[^\\]))+)\1/g

/** Masks secret fields in JSON, and in JSON inside JSON strings. */
function maskFields(text: string): string {
  return text.replaceAll(
    FIELD,
    (_, ...[quote = '', name = '', colon = '', value = '']: readonly string[]) => {
      const masked = SECRET_FIELD.test(name) ? MASK : value.includes('"') ? maskFields(value) : value
      return `${quote}${name}${quote}${colon}${quote}${masked}${quote}`
    },
  )
}

/** The minimum length of a masked secret. A shorter secret could match part of a common word. */
const MIN_CHARACTERS = 6

/** Creates a function that masks a text like maskText(), and also masks `secrets`, both as given and URL-encoded. */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter(({ length }) => length >= MIN_CHARACTERS)
  const spellings = [
    ...new Set(long.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])),
  ]
  // Masks the longest secret first, so that no part of a longer secret stays visible.
  const sorted = spellings.toSorted((a, b) => b.length - a.length)
  return (text) => sorted.reduce((masked, secret) => masked.replaceAll(secret, MASK), maskText(text))
}

/** Returns the parts of a URL's path and query that look secret, both encoded and decoded. */
export function urlTokens(url: string): readonly string[] {
  const [, behindHost = ''] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(url) ?? []
  const parts = behindHost.split(/[/?#&=]/).flatMap((part) => [part, decodePart(part)])
  return [...new Set(parts)].filter(isToken)
}

const URLS = /\bhttps?:\/\/[^\s"'<>]*[^\s"'<>.,:;)]/gi
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Masks secrets like maskText(), and also masks tokens in URLs. Does not mask UUIDs, because most UUIDs are object ids. */
export function maskUrls(text: string): string {
  return maskText(text).replaceAll(URLS, (url) =>
    createMask(urlTokens(url).filter((token) => !UUID.test(token)))(url),
  )
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Returns true if a part of a URL is long, and contains two digits or looks random. */
function isToken(part: string): boolean {
  if (part.length < 16 || /[\s{}]/.test(part)) return false
  return /\d.*\d/.test(part) || (part.length >= 22 && /[A-Z]/.test(part) && !isPredictable(part))
}
