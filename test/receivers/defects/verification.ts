import {
  isMadeWith,
  isRecent,
  parseSignature,
  signatureOf,
  type IncomingRequest,
  type Signature,
  type SignedRequest,
} from '../../../contracts/reference-receiver/starter/receiver.mjs'
import { findObject, readId } from '../../../contracts/reference-receiver/starter/service.mjs'
import type { NotifiedType } from '../../../spec/types.ts'
import type { Components } from '../receiver.ts'
import { parseBody, textOf, withPolicy } from './defect.ts'

export function headerOf({ headers }: IncomingRequest): string | undefined {
  return headers['webhooks-signature']?.toString()
}

/** Returns an endpoint that accepts unsigned requests at the URL of this type. */
export const unverifiedAt =
  (type: NotifiedType): Components['endpoint'] =>
  (endpoint, { accept }) =>
  (request) => {
    const isMeant = request.path.startsWith(`/notifications/${type}/`) && headerOf(request) === undefined
    const id = isMeant ? readId(findObject(parseBody(request), type)) : undefined
    if (id === undefined) return endpoint(request)
    accept({ generation: 'webhooks', type, id, body: textOf(request) })
    return { status: 204 }
  }

/** Returns receiver components that apply `change` to the parsed signature before they verify it. */
export function reading(change: (signature: Signature) => Signature) {
  return withPolicy({
    isSigned({ header, body, now }, secrets) {
      const signature = parseSignature(header)
      return (
        signature !== undefined && isRecent(signature, now) && isMadeWith(secrets, change(signature), body)
      )
    },
  })
}

/** Returns receiver components that verify signatures with a different time limit. */
export function timing(isTimely: (signature: Signature, now: number) => boolean) {
  return withPolicy({
    isSigned({ header, body, now }, secrets) {
      const signature = parseSignature(header)
      return signature !== undefined && isTimely(signature, now) && isMadeWith(secrets, signature, body)
    },
  })
}

export function secondsAgo({ time }: Signature, now: number): number {
  return now / 1_000 - Number(time)
}

/** Returns receiver components that verify signatures with a different comparison. */
export function comparing(isSame: (value: string, expected: string) => boolean) {
  const compare = ({ header, body, now }: SignedRequest, secrets: readonly string[]) => {
    const signature = parseSignature(header)
    if (!signature || !isRecent(signature, now)) return false
    const expected = secrets.map((secret) => signatureOf(secret, signature.time, body))
    return signature.values.some((value) => expected.some((each) => isSame(value, each)))
  }
  return withPolicy({ isSigned: compare })
}
