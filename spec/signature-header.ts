/** The name of the header that contains the signature of a webhook. Reading: signature */
export const SIGNATURE_HEADER = 'Webhooks-signature'

export function isSigned(headers: readonly (readonly string[])[]): boolean {
  return headers.some(([name = '']) => name.toLowerCase() === SIGNATURE_HEADER.toLowerCase())
}
