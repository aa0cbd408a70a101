import { drawDigits, sixDigitsFor } from './draws.ts'

interface Person {
  readonly full_name: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly mobile: string
  readonly phone: string
  readonly custom_descriptor: string
}

const FIRST_NAMES = ['Ada', 'Ines', 'Mary', 'Mei', 'Neve', 'Orla', 'Priya', 'Samuel', 'Tomas', 'Yusuf']
const LAST_NAMES = [
  'Byrne',
  'Ferrari',
  'Lind',
  'Okafor',
  'Osei',
  'Quinn',
  'Reyes',
  'Seed',
  'Tanaka',
  'Whitlock',
]
const STREETS = ['Acacia Avenue', 'Banksia Road', 'Grevillea Way', 'Wattle Street']

/** Draws a person with a unique address. The phone numbers are from ranges reserved for fiction. */
export function drawPerson(newId: () => string): Person {
  const digits = drawDigits(16, newId)
  const first_name = FIRST_NAMES[Number(digits[0])] ?? ''
  const last_name = LAST_NAMES[Number(digits[1])] ?? ''
  const local = `${first_name}.${last_name}.${digits.slice(2, 10)}`.toLowerCase()
  return {
    full_name: `${first_name} ${last_name}`,
    first_name,
    last_name,
    email: `${local}@example.test`,
    mobile: `+61491570${digits.slice(10, 13)}`,
    phone: `+61255501${digits.slice(13, 16)}`,
    custom_descriptor: `HOOK ${last_name.toUpperCase()}`,
  }
}

const TRADES = [
  'Bakery',
  'Ceramics',
  'Cycles',
  'Joinery',
  'Optics',
  'Pianos',
  'Plumbing',
  'Renovations',
  'Strings',
  'Tailors',
]

interface Company {
  readonly name: string
  readonly legal_name: string
  readonly tax_number: string
  readonly phone: string
}

/** Returns the same company for the same id. */
export function drawCompany(id: string): Company {
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

interface Address {
  readonly address_line1: string
  readonly address_line2: string
  readonly address_city: string
  readonly address_state: string
  readonly address_postcode: string
}

/** Returns the same address for the same digits. */
export function addressFields(digits: string): Address {
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
