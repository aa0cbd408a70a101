/** The header that carries the signature of a webhook. Reading: signature */
export const SIGNATURE_HEADER = 'Webhooks-signature'

/** Whether what was sent with these headers carries one. */
export function isSigned(headers: readonly (readonly [name: string, value: string])[]): boolean {
  return headers.some(([name]) => name.toLowerCase() === SIGNATURE_HEADER.toLowerCase())
}
