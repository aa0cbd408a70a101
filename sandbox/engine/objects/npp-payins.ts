import type { PayinDetails } from '../../../spec/generated/service-types.ts'
import { drawDigits, type NewObjectDefaults, type ObjectFields } from './draws.ts'
import { drawPerson } from './people.ts'

/** The payee's identifier: a PayID, a CRN, or the number of a virtual account. Source: §2.4 */
type PayinForm = 'pay-id' | 'crn' | 'virtual-account'

/** Returns the form of a pay-in according to its details. Defaults to `pay-id`. Source: §2.4 */
export function payinForm(details: unknown): PayinForm {
  if (details === null) return 'virtual-account'
  const isCrn =
    typeof details === 'object' && details !== undefined && Reflect.get(details, 'pay_id') === null
  return isCrn ? 'crn' : 'pay-id'
}

/** Completes the given details with the fields that the form of the pay-in requires. Source: §2.4 */
export function completePayinDetails(
  { payin_details: given, user_name }: ObjectFields,
  { newId, now }: NewObjectDefaults,
): object | null {
  const form = payinForm(given)
  if (form === 'virtual-account') return null
  const payee = typeof user_name === 'string' ? user_name : 'Samuel Seed'
  const drawn = form === 'crn' ? drawCrnDetails(newId) : drawPayIdDetails(payee, newId)
  const details: PayinDetails = {
    ...drawDebtor(newId),
    ...drawn,
    // The id has the format of the clearing system. Hookbench chose this value.
    clearing_system_transaction_id: `EXAMAU2SXXXN${now.slice(0, 10).replaceAll('-', '')}${drawDigits(15, newId)}`,
    npp_payin_internal_id: newId(),
  }
  return { ...details, ...(typeof given === 'object' && given) }
}

function drawCrnDetails(newId: () => string) {
  const crn = drawDigits(10, newId)
  return { remittance_information: `CRN ${crn}`, pay_id: null, pay_id_type: null, end_to_end_id: crn }
}

function drawPayIdDetails(payee: string, newId: () => string) {
  const invoice = drawDigits(6, newId)
  const name = payee.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')
  return {
    remittance_information: `Invoice ${invoice}`,
    pay_id: `${name}@payid.example.test`,
    pay_id_type: '/EMAL',
    end_to_end_id: `INV-${invoice}`,
  } as const
}

function drawDebtor(newId: () => string) {
  const { first_name, last_name, full_name } = drawPerson(newId)
  const digits = drawDigits(12, newId)
  return {
    debtor_name: `${first_name.slice(0, 1)} ${last_name}`.toUpperCase(),
    debtor_legal_name: full_name,
    debtor_bsb: `999${digits.slice(0, 3)}`,
    debtor_account: digits.slice(3),
  }
}
