import { expect, test } from 'vitest'
import { rehearse } from '../../../contracts/judge/rehearse.ts'

const config = { receiver: { url: 'https://localhost:9/{object_type}' } }

test.each([
  [undefined, '"request" is undefined'],
  ['card-payin', '"request" is "card-payin"'],
  [{}, '"request" is an object'],
])('rehearse() rejects the request %j and names valid values', async (request, what) => {
  const untyped = rehearse as (...given: readonly unknown[]) => Promise<unknown>

  await expect(untyped(config, request)).rejects.toThrow(
    `Cannot call rehearse(): ${what}. Give an object with a kind of payment`,
  )
})
