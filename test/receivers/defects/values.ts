import { policy as carefulPolicy } from '../../../contracts/reference-receiver/starter/receiver.mjs'
import { withPolicy, type Defect } from './defect.ts'

/** Defects of receivers that misread amounts, states and ids. */
export const valueDefects: readonly Defect[] = [
  {
    name: 'counts-in-floating-point',
    about: 'It keeps amounts as dollars, and cuts off fractions of a cent.',
    check: 'body/amounts',
    parts: () =>
      withPolicy({
        parseKnownObject(shown, entries) {
          const known = carefulPolicy.parseKnownObject(shown, entries)
          const isSmall = known?.amount !== null && (known?.amount ?? 0) < 10_000
          return known && isSmall
            ? { ...known, amount: Math.floor(((known.amount ?? 0) / 100) * 100) }
            : known
        },
      }),
  },
  {
    name: 'looks-for-success-in-a-word',
    about: 'It treats a state whose name contains "success" as a success.',
    check: 'body/unknown-states',
    parts: () =>
      withPolicy({
        isDue: (now, entries) =>
          carefulPolicy.isDue(
            now.state?.includes('success') ? { ...now, state: 'successful' } : now,
            entries,
          ),
      }),
  },
  {
    name: 'knows-ids-in-small-letters',
    about: 'It ignores the case of ids.',
    check: 'body/odd-ids',
    parts: () => withPolicy({ interpretBody: interpretingIds((id) => id.toLowerCase()) }),
  },
  {
    name: 'composes-the-letters-of-ids',
    about: 'It normalizes the Unicode form of ids.',
    check: 'body/odd-ids',
    parts: () => withPolicy({ interpretBody: interpretingIds((id) => id.normalize('NFC')) }),
  },
]

/** Returns a policy that changes the spelling of ids. */
function interpretingIds(change: (id: string) => string): typeof carefulPolicy.interpretBody {
  return (body, route) => {
    const meaning = carefulPolicy.interpretBody(body, route)
    return meaning.kind === 'notification' ? { ...meaning, id: change(meaning.id) } : meaning
  }
}
