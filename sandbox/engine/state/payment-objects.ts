import { isParticipantRole, PARTICIPANT_TYPES } from '../../../spec/payments.ts'
import type { Payment } from './payment.ts'

/** Which payment an object belongs to. */
export interface PaymentObjects {
  /** The first payment that has it; undefined if none does. */
  find(objectType: string, id: string): Payment | undefined
  /** A payment that may have been known is another one now. */
  change(ordinal: number): void
}

/** Made of the payments when somebody asks, and kept up to date from there on: few ask, and not before there is a page. */
export function createPaymentObjects(payments: readonly Payment[]): PaymentObjects {
  const ordinalByObject = new Map<string, number>()
  const changed = new Set<number>()
  let known = 0

  function add(ordinal: number): void {
    const payment = payments[ordinal]
    if (!payment) return
    for (const [role, id] of Object.entries({ ...payment.participants, ...payment.objects })) {
      const key = toKey(isParticipantRole(role) ? PARTICIPANT_TYPES[role] : (role.split('/')[0] ?? ''), id)
      if (!ordinalByObject.has(key)) ordinalByObject.set(key, ordinal)
    }
  }

  return {
    find(objectType, id) {
      for (const ordinal of changed) add(ordinal)
      changed.clear()
      while (known < payments.length) add(known++)
      return payments[ordinalByObject.get(toKey(objectType, id)) ?? -1]
    },
    change(ordinal) {
      if (ordinal < known) changed.add(ordinal)
    },
  }
}

const toKey = (objectType: string, id: string) => `${objectType}/${id}`
