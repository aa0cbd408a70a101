import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a signature is verified by. */
export interface SignedRequest {
  /** What `Webhooks-signature` says; undefined if it is not there. */
  readonly header: string | undefined
  /** The bytes as they came: JSON that is parsed and written again is another text. */
  readonly body: Uint8Array
  /** Epoch milliseconds. */
  readonly now: number
}

/** What the header says. */
export interface Signature {
  /** Unix seconds, as they stand there: the text is part of what is signed. */
  readonly time: string
  /** One with each secret that the service has at the moment: two while it changes over. */
  readonly values: readonly string[]
}

/** How far the service's clock may be from ours; a retry is signed anew. */
const TOLERANCE_MS = 300_000

/** Whether this was signed lately with one of our secrets. */
export function isSigned({ header, body, now }: SignedRequest, secrets: readonly string[]): boolean {
  const signature = parseSignature(header)
  return signature !== undefined && isRecent(signature, now) && isMadeWith(secrets, signature, body)
}

/** `t=1257894000,v=MHs6…,v=Xw3q…`, with room for parts that it may have one day. Undefined if it says no time. */
export function parseSignature(header = ''): Signature | undefined {
  const parts = header.split(',').map((part) => /^\s*([^=]+)=(.*?)\s*$/.exec(part) ?? [])
  const valuesOf = (wanted: string) =>
    parts.flatMap(([, name, value = '']) => (name === wanted ? [value] : []))
  const [time = '', ...others] = valuesOf('t')
  return /^\d{1,15}$/.test(time) && others.length === 0 ? { time, values: valuesOf('v') } : undefined
}

/** Neither old nor of the future. */
export function isRecent({ time }: Signature, now: number): boolean {
  return Math.abs(now - Number(time) * 1_000) <= TOLERANCE_MS
}

export function isMadeWith(
  secrets: readonly string[],
  { time, values }: Signature,
  body: Uint8Array | string,
): boolean {
  return secrets.some((secret) => {
    const expected = signatureOf(secret, time, body)
    return values.some((value) => isSameText(value, expected))
  })
}

export function signatureOf(secret: string, time: string, body: Uint8Array | string): string {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest('base64url')
}

/** In constant time: how long it takes says nothing about how much was right. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
