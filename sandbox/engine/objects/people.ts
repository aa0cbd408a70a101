import { drawDigits, joinText, sixDigitsFor } from './draws.ts'

const FIRST_NAMES = ['Ada', 'Ines', 'Mary', 'Mei', 'Neve', 'Orla', 'Priya', 'Samuel', 'Tomas', 'Yusuf']
const LAST_NAMES = 'Byrne Ferrari Lind Okafor Osei Quinn Reyes Seed Tanaka Whitlock'.split(' ')
const STREETS = ['Acacia Avenue', 'Banksia Road', 'Grevillea Way', 'Wattle Street']

/** Creates a random person with a unique e-mail address. The phone number is from a range that is reserved for fiction. */
export function drawPerson(newId: () => string) {
  const digits = drawDigits(16, newId)
  const first_name = FIRST_NAMES[Number(digits[0])] ?? ''
  const last_name = LAST_NAMES[Number(digits[1])] ?? ''
  const local = `${first_name}.${last_name}.${digits.slice(2, 10)}`.toLowerCase()
  return {
    full_name: joinText(first_name, ' ', last_name),
    first_name,
    last_name,
    email: joinText(local, '@example.test'),
    mobile: `+61491570${digits.slice(10, 13)}`,
    phone: `+61255501${digits.slice(13, 16)}`,
    custom_descriptor: joinText('HOOK ', last_name.toUpperCase()),
  }
}

const TRADES = 'Bakery Ceramics Cycles Joinery Optics Pianos Plumbing Renovations Strings Tailors'.split(' ')

export function drawCompany(id: string) {
  const digits = String(sixDigitsFor(id))
  const name = `${LAST_NAMES[Number(digits[5])] ?? ''} ${TRADES[Number(digits[4])] ?? ''} ${digits.slice(0, 3)}`
  return {
    name,
    legal_name: `${name} Pty Ltd`,
    tax_number: `10987${digits}`,
    phone: `+61255501${digits.slice(3)}`,
  }
}

const CITIES = [
  ['Adelaide', 'SA', '5000'],
  ['Brisbane', 'QLD', '4000'],
  ['Hobart', 'TAS', '7000'],
  ['Melbourne', 'VIC', '3000'],
  ['Perth', 'WA', '6000'],
  ['Sydney', 'NSW', '2000'],
] as const

export function addressFields(digits: string) {
  const [address_city, address_state, address_postcode] =
    CITIES[Number(digits[5]) % CITIES.length] ?? CITIES[0]
  const street = STREETS[Number(digits[0]) % STREETS.length] ?? ''
  return {
    address_line1: `${Number(digits.slice(1, 4)) + 1} ${street}`,
    address_line2: `Unit ${Number(digits.slice(4, 6)) + 1}`,
    address_city,
    address_state,
    address_postcode,
  }
}
