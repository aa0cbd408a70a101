import { actingAs, changingKnown, interpreting, withPolicy, type Defect } from './defect.ts'

/** Defects of receivers that misread amounts, states and ids. */
export const valueDefects: readonly Defect[] = [
  {
    name: 'counts-in-floating-point',
    about: 'It keeps amounts as dollars, and cuts off fractions of a cent.',
    check: 'body/amounts',
    parts: () =>
      withPolicy({
        parseKnownObject: changingKnown((known) =>
          known.amount !== null && known.amount < 10_000
            ? { ...known, amount: Math.floor((known.amount / 100) * 100) }
            : known,
        ),
      }),
  },
  {
    name: 'looks-for-success-in-a-word',
    about: 'It treats a state whose name contains "success" as a success.',
    check: 'body/unknown-states',
    parts: () => actingAs((now) => (now.state?.includes('success') ? { ...now, state: 'successful' } : now)),
  },
  {
    name: 'knows-ids-in-small-letters',
    about: 'It ignores the case of ids.',
    check: 'body/odd-ids',
    parts: () => interpretingIds((id) => id.toLowerCase()),
  },
  {
    name: 'composes-the-letters-of-ids',
    about: 'It normalizes the Unicode form of ids.',
    check: 'body/odd-ids',
    parts: () => interpretingIds((id) => id.normalize('NFC')),
  },
]

/** Returns receiver components that change the spelling of ids. */
function interpretingIds(change: (id: string) => string) {
  return interpreting((meaning) =>
    meaning.kind === 'notification' ? { ...meaning, id: change(meaning.id) } : meaning,
  )
}
