import { careful, toFields, readObject, take, type Fields } from './careful.ts'
import type { Desk, Incoming, Receive } from './scripted-receiver.ts'
import type { Defect } from './verdicts.ts'

export const bodyOf = ({ body }: Incoming): Fields => readObject(body) ?? {}

/** Returns the object in a body, or the body itself if it has no wrapper. */
export function objectOf(request: Incoming): Fields {
  const body = bodyOf(request)
  return toFields(body[request.type ?? '']) ?? body
}

export const refusing =
  (status: number, isMeant: (object: Fields, request: Incoming) => boolean): Defect =>
  (request) =>
    isMeant(objectOf(request), request) ? { status } : undefined

/** Acts on the body of a notification without fetching the object from the service. */
export function believe(request: Incoming, { ledger }: Desk, object: Fields): void {
  if (request.type && ['string', 'number'].includes(typeof object['id']))
    take({ ledger }, { type: request.type, id: String(object['id']), object })
}

export const isTest = (body: string) => body.startsWith('{"message"')

export function scaled(amountOf: (money: { amount: number; currency: unknown }) => number): Receive {
  return async (request, desk) => {
    const reply = await careful(request, desk)
    const { amount, currency, id } = objectOf(request)
    const target = `${request.type} ${String(id)}`
    const state = desk.ledger.get(target)
    if (state?.amount !== undefined && typeof amount === 'number')
      desk.ledger.set(target, { ...state, amount: amountOf({ amount, currency }) })
    return reply
  }
}
