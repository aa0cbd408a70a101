/** Amounts in minor units, grouped by the bug that they reveal. */
export const AMOUNTS = {
  cent: [1, 2, 7],
  odd: [99, 101, 1_999, 123_457],
  // These values change if code divides and then multiplies them by 100 in floating point.
  float: [115, 435, 820, 1_005, 2_999, 16_390, 113_911],
  // Each amount is the beginning of the next amount, such as 12 and 125.
  prefix: [12, 125, 1_250, 12_500, 125_000],
  'over-32-bits': [2_147_483_648, 4_294_967_297, 5_000_000_001],
  large: [300_000_000_001, 12_345_678_901_234, 900_719_925_474_099],
  usual: [12_500, 100_000],
} as const satisfies Readonly<Record<string, readonly number[]>>

/** The default amount of a payment, in minor units. */
export const PLAIN_AMOUNT = 12_500

export type AmountClass = keyof typeof AMOUNTS

export const AMOUNT_CLASSES: readonly AmountClass[] = [
  'cent',
  'odd',
  'float',
  'prefix',
  'over-32-bits',
  'large',
  'usual',
]

/** Fees in minor units, which are added to the price. */
export const FEES = [1, 250, 12_345] as const

/** The service uses two decimals for every currency. Source: §2.3 */
export const CURRENCIES = ['AUD', 'AUD', 'AUD', 'NZD', 'USD', 'JPY', 'KWD'] as const

export const NAMES = [
  'Ada Quinn',
  "Siobhán O'Brien",
  'Zoë Müller-Lüdenscheidt',
  '李 雷',
  'محمد علي',
  'दीपिका शर्मा',
  'Ан\u0438\u0306а Соколова',
  'Robin 👩‍🚀 Star',
  'Null True',
  '"Quoted" \\ Name <b>',
] as const

/** Groups of similar user ids. User ids can be arbitrary strings. Source: §2.3 */
export const ID_FAMILIES = [
  ['buyer-{n}', 'Buyer-{n}', 'BUYER-{n}'],
  ['caf\u00e9-{n}', 'cafe\u0301-{n}', 'cafe-{n}'],
  ['{n}', '0{n}', '{n}.0'],
  ['user {n}', 'user+{n}', 'user_{n}'],
  ['user:{n}', 'user:{n}:1'],
  ['a-name-of-more-than-thirty-six-characters-{n}', 'a-name-of-more-than-thirty-six-characters-{n}-b'],
] as const

/** The possible times between two changes of an object, in milliseconds. */
export const TIME_GAPS = [3_600_000, 86_400_000 * 4, 86_400_000 * 40] as const

/** Offsets for the times of an object, in milliseconds. These offsets simulate skewed clocks and distant dates. */
export const TIME_SHIFTS = [90_000, 3_600_000, 86_400_000 * 400, -86_400_000 * 3_650] as const

export function pick<Value>(values: readonly Value[], random: () => number): Value {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new RangeError('Cannot pick from an empty list')
  return value
}

export type Traits = Readonly<Record<string, string>>

export function createCoverage(values: Readonly<Record<string, readonly string[]>>) {
  const seen = new Set<string>()
  const aspects = Object.keys(values).toSorted()
  const sizes = aspects.map((aspect) => values[aspect]?.length ?? 0)
  let total = 0
  for (const [index, size] of sizes.entries())
    total += size * sizes.slice(index + 1).reduce((sum, each) => sum + each, 0)
  const pairsOf = (traits: Traits) =>
    aspects.flatMap((first, index) =>
      aspects.slice(index + 1).map((second) => `${first}=${traits[first]} ${second}=${traits[second]}`),
    )
  return {
    newPairs: (traits: Traits) => pairsOf(traits).filter((pair) => !seen.has(pair)).length,
    add(traits: Traits) {
      for (const pair of pairsOf(traits)) seen.add(pair)
    },
    /** Returns the covered share of all possible pairs of values, from 0 to 1. */
    share: () => (total === 0 ? 1 : seen.size / total),
  }
}
