import { isPredictable } from './predictable.ts'
import { defaultCredentials } from './settings.ts'

const LEAST_CHARACTERS = 32

/** What somebody typed who had to type something, or took from a page. */
const EXAMPLE = /change.?me|example|password|passwort|secret|sandbox|hookbench|replace|placeholder|insert/i

/** Why it does not keep others out; never says the secret. `other` is the token that opens the bench: it must not be that one. */
export function weaknessOf(secret: string | undefined, other: string | undefined): string | undefined {
  if (secret === undefined || secret === '') return 'is missing'
  if (secret === defaultCredentials.client_secret || secret === defaultCredentials.api_token)
    return 'is the one that every sandbox has'
  if (secret.length < LEAST_CHARACTERS)
    return `has ${secret.length} characters, of at least ${LEAST_CHARACTERS}`
  if (!/^[\x21-\x7e]+$/.test(secret)) return 'has characters that a header cannot hold'
  if (isPredictable(secret) || EXAMPLE.test(secret)) return 'can be guessed: take a random one'
  return secret === other ? 'is the token of the bench, too: take another' : undefined
}
