// The objects of §2 and the document's statements about each field. This second transcription uses nothing from `spec/`. If the
// document states no rule, a comment names the reading that the rule follows.

import {
  amount,
  each,
  fields,
  flag,
  id,
  isNull,
  like,
  misfits,
  object,
  oneOf,
  orNull,
  path,
  text,
  textOrNull,
  threeLetters,
  timestamp,
  uuid,
  whole,
  wholeOrNull,
  type Fields,
  type Shape,
} from './shapes.ts'

/** Related links, which may be null. The link to the object itself is checked elsewhere. */
const links = (names: string, further: Shape = {}) =>
  object({ self: textOrNull, ...fields(names, orNull(path)), ...further })

const times = { created_at: timestamp, updated_at: timestamp }
const payinDetails = fields(
  'debtor_name debtor_legal_name debtor_bsb debtor_account clearing_system_transaction_id remittance_information pay_id end_to_end_id npp_payin_internal_id',
  textOrNull,
)
const RELATED_ACCOUNTS =
  'npp_payin_account de_payin_account bpay_funding_account item bank_account card_account'.split(' ')

function relatedTransaction(value: unknown): boolean {
  const { user_name, ...entry }: Fields = { ...Object(value) }
  const shape = { id, account_id: textOrNull, account_type: oneOf(...RELATED_ACCOUNTS), user_id: id }
  return misfits(entry, shape).length === 0 && (user_name === undefined || text(user_name))
}

/** §2.4: the type and the method of a transaction determine its fields. */
export function transactionShape({ type, type_method, payin_details }: Fields): Shape {
  const isNpp = type_method === 'npp_payin'
  const isCard = type_method === 'credit_card'
  // With the reading `supplementary-data`, direct credit deposits have `supplementary_data`.
  const isVirtual =
    (isNpp && payin_details === null) || (type === 'deposit' && type_method === 'direct_credit')
  const detail = isNpp && payin_details !== null ? path : isNull
  return {
    ...times,
    ...fields('description', text),
    id: uuid,
    payee_name: textOrNull,
    type: text,
    type_method: text,
    state: oneOf('successful'),
    ...fields('user_id account_id', id),
    // §6.2: the account type is `item` for a card pay-in, and `wallet_account` for other kinds.
    account_type: oneOf(isCard ? 'item' : 'wallet_account'),
    amount,
    currency: threeLetters,
    debit_credit: oneOf('credit', 'debit'),
    marketplace: object({ group_name: isNull, name: text, short_name: isNull, uuid }),
    related: object({ transactions: each(relatedTransaction) }),
    links: links(
      'users fees wallet_accounts card_accounts extwallet_accounts bank_accounts items marketplaces',
      {
        npp_payin_transaction_detail: detail,
        ...(isVirtual && { supplementary_data: path }),
      },
    ),
    ...(type === 'disbursement' ? { dynamic_descriptor: textOrNull } : { user_name: text }),
    ...(isNpp && {
      // §2.9 shows /EMAL. Reading: pay-id-types, payin-details
      payin_details: orNull(
        object({ ...payinDetails, pay_id_type: oneOf(null, '/EMAL', '/TELI', '/AUBN', '/ORGN') }),
      ),
    }),
  }
}

/** Source: §2.5 of the service's document */
export const ITEM: Shape = {
  ...times,
  id: uuid,
  ...fields(
    'name seller_url buyer_url deposit_reference payment_method buyer_name buyer_email seller_name seller_email',
    text,
  ),
  ...fields(
    'description custom_descriptor payout_descriptor dynamic_descriptor due_date invoice_url batch_state tds_check_state',
    textOrNull,
  ),
  state: text,
  status: whole,
  ...fields('amount net_amount remaining_amount total_amount total_outstanding', amount),
  ...fields(
    'chargedback_amount refunded_amount released_amount requested_release_amount pending_release_amount',
    amount,
  ),
  payment_type_id: whole,
  ...fields('buyer_fees seller_fees credit_card_fee direct_debit_fee extwallet_fee legacy_fee', amount),
  ...fields('currency buyer_country seller_country', threeLetters),
  ...fields('payment_credit_card_enabled payment_direct_debit_enabled', flag),
  related: object({ buyers: text, sellers: text }),
  links: links(
    'buyers sellers status fees transactions batch_transactions wire_details bpay_details tds_checks',
  ),
}

/** Source: §2.6 of the service's document */
export const USER: Shape = {
  ...times,
  id,
  ...fields('full_name first_name last_name email custom_descriptor dob', text),
  ...fields('mobile phone logo_url color_1 color_2 government_number drivers_license', textOrNull),
  location: threeLetters,
  // Source: the reading `user-states`
  verification_state: oneOf('pending', 'pending_check', 'approved_kyc_check', 'approved'),
  held_state: flag,
  roles: each(text),
  flags: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  related: object(fields('addresses payout_account', textOrNull)),
  links: links('items card_accounts extwallet_accounts payid_accounts bank_accounts wallet_accounts'),
}

const BATCH_LINKS = 'users fees wallet_accounts card_accounts extwallet_accounts bank_accounts items'

/** §2.7: a disbursement by BPAY has additional fields. */
export function batchShape({ type, type_method }: Fields): Shape {
  const isExtended = type === 'disbursement' && type_method === 'bpay'
  // Source: §6.2 of the service's document, and the reading `payout-accounts`
  const holder = { payment: 'bank_account', payment_funding: 'item' }[String(type)] ?? 'wallet_account'
  // §6.2 states the account for `payment` and `payment_funding`. §2.7 lists values for other types.
  const receiver = { payment: ['item'], payment_funding: ['wallet_account'] }[String(type)]
  return {
    ...times,
    id: uuid,
    account_type: oneOf(holder),
    type: text,
    type_method: text,
    batch_id: wholeOrNull,
    ...fields('partner_payment_transaction_id reference deposit_reference', textOrNull),
    state: text,
    status: whole,
    ...fields('user_id account_id', id),
    amount,
    currency: threeLetters,
    debit_credit: oneOf('credit', 'debit'),
    description: text,
    related: object({
      account_to: object({
        id,
        account_type: oneOf(
          ...(receiver ?? ['item', 'wallet_account', 'bank_account', 'bpay_disbursement_account']),
        ),
        user_id: id,
      }),
    }),
    links: links(BATCH_LINKS),
    ...(isExtended && EXTENSION),
  }
}

const EXTENSION: Shape = {
  id: whole,
  account_type: whole,
  uuid,
  ...fields(
    'external_reference reference_amount internal_state internal_status company payout_currency',
    isNull,
  ),
  account_external: object({ account_type_id: whole, currency: object({ code: threeLetters }) }),
  ...fields('user_email first_name last_name phone user_external_id legal_entity_id', text),
  // Source: the reading `extended-marketplace`
  marketplace: object({
    ...fields('group_name short_name account_details', textOrNull),
    account_details_encrypted: (value) => flag(value) || textOrNull(value),
    name: text,
    uuid,
  }),
  ...fields('address_line1 address_line2 address_city address_state address_postcode', text),
  address_country: object({
    id: whole,
    name: text,
    three_code: threeLetters,
    two_code: like(/^[A-Z]{2}$/),
    currency_id: whole,
    numeric_code: like(/^\d{3}$/),
  }),
  links: links(`${BATCH_LINKS} bpay_accounts marketplace`, { self: text }),
}

/** §2.8: account numbers are masked with leading X. */
export const DISBURSEMENT: Shape = {
  ...times,
  id: uuid,
  amount,
  currency: threeLetters,
  batch_id: wholeOrNull,
  partner_payment_transaction_id: textOrNull,
  ...fields('state to bank_name bank_account_name npp_payout_state', text),
  ...fields('bank_account_number bank_routing_number', like(/^X/)),
  links: object(
    fields('transactions wallet_accounts bank_accounts extwallet_accounts items users', orNull(path)),
  ),
}

/** §2.8 */
export const ACCOUNT: Shape = {
  ...times,
  uuid,
  amount,
  ...fields('id currency_id account_type_id legal_entity_id', whole),
  links: object({ self: isNull }),
}

/** Source: the reading `company` */
export const COMPANY: Shape = {
  id: uuid,
  ...fields('name legal_name', text),
  ...fields('tax_number phone', textOrNull),
  charge_tax: flag,
  related: object(fields('address users', textOrNull)),
  links: object({ self: textOrNull }),
}

/** §6.3: the body has no wrapper, and its time has a numeric offset. */
export const VIRTUAL_ACCOUNT: Shape = {
  event: oneOf('status_updated'),
  id: uuid,
  link: text,
  name: oneOf('virtual_accounts'),
  updatedAt: (value) =>
    like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/)(value) &&
    Number.isFinite(Date.parse(String(value))),
}
