import { expect, test } from 'vitest'
import { listSpellings } from '../proofs/addresses/spellings.ts'
import { trySpellings } from '../proofs/addresses/try-all.ts'

/** Every eighth, which is some of each kind; `npm run proof -- addresses` takes all of them. */
const some = listSpellings().filter((_, index) => index % 8 === 0)

test('no spelling of a forbidden address is called, whatever the door', async () => {
  expect(await trySpellings(some)).toEqual([])
})

test('there are more than 300 spellings', () => {
  expect(new Set(listSpellings().map(({ host, address }) => `${host} ${address}`)).size).toBeGreaterThan(300)
})
