/** The header that carries the signature of a webhook. Reading: signature */
export const SIGNATURE_HEADER = 'Webhooks-signature'
