import { isSuccess } from '../../../spec/delivery.ts'

/**
 * What to change in a receiver that answered this; undefined where nothing is, or where there was no answer: then the message of the
 * exchange says what to do.
 */
export function receiverRemedy(status: number | null): string | undefined {
  if (status === null || isSuccess(status)) return undefined
  return REMEDIES.get(status) ?? (status >= 300 && status < 400 ? REDIRECT : ANSWER)
}

const REDIRECT = 'the service follows no redirect: register the URL that it leads to'
const CREDENTIALS = 'let it take this POST without credentials, as the service sends none; see its log'
const PATH = 'let it take POST at the path of this URL, or register the URL that does'
const ANSWER =
  'let it answer every POST to this path with 2xx, even a body that it does not know, and see its log'

const REMEDIES: ReadonlyMap<number, string> = new Map([
  [401, CREDENTIALS],
  [403, CREDENTIALS],
  [404, PATH],
  [405, PATH],
])
