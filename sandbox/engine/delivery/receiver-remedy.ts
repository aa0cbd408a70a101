import { isSuccess } from '../../../spec/delivery.ts'

/** Returns the fix for a failure status, or undefined. Without a response, the message of the exchange contains the fix. */
export function receiverRemedy(status: number | null, isSigned: boolean): string | undefined {
  if (status === null || isSuccess(status)) return undefined
  if (status === 401 || status === 403) return isSigned ? SIGNED : UNSIGNED
  if (status === 404 || status === 405) return PATH
  if (status >= 300 && status < 400) return REDIRECT
  // Some receivers reject a missing or wrong signature with a 400.
  return status === 400 ? `${ANSWER}; ${isSigned ? WRONG_SECRET : NO_SECRET}` : ANSWER
}

const REDIRECT = 'the service does not follow redirects, so register the final URL'
const WRONG_SECRET =
  'the delivery was signed, so your receiver may use a secret other than the secret of POST /webhooks/secret_key'
const NO_SECRET =
  'the delivery was not signed, so if your receiver verifies signatures, set its secret with POST /webhooks/secret_key'
const SIGNED = `let your receiver require only the signature, because the service sends no other credentials; ${WRONG_SECRET}; see its log`
const UNSIGNED = `let your receiver accept this POST without credentials, because the service sends none; ${NO_SECRET}; see its log`
const PATH = 'let your receiver accept POST at the path of this URL, or register the correct URL'
const ANSWER =
  'let your receiver answer every POST to this path with 2xx, even if it does not know the body, and see its log'
