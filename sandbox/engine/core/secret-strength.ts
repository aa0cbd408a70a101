import { hash, timingSafeEqual } from 'node:crypto'
import { defaultCredentials } from './settings.ts'

const MIN_CHARACTERS = 32

const EXAMPLE = /change.?me|example|password|passwort|secret|sandbox|hookbench|replace|placeholder|insert/i

/**
 * Returns the reason why a secret is weak. The reason does not contain the secret. `other` is the bench token, which must differ
 * from the secret.
 */
export function describeWeakness(secret: string | undefined, other: string | undefined): string | undefined {
  if (secret === undefined || secret === '') return 'is missing'
  if (secret === defaultCredentials.client_secret || secret === defaultCredentials.api_token)
    return 'is the default value in every sandbox'
  if (secret.length < MIN_CHARACTERS)
    return `has only ${secret.length} characters, and needs at least ${MIN_CHARACTERS}`
  if (!/^[\x21-\x7e]+$/.test(secret)) return 'has characters that a header cannot contain'
  if (isPredictable(secret) || EXAMPLE.test(secret)) return 'is easy to guess. Use a random secret'
  return secret === other ? 'is also the token of the bench. Use a different secret' : undefined
}

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digestSecret(given), digestSecret(expected))
}

/** Returns a digest of a secret for use as a lookup key. With a digest, the lookup time reveals nothing about the secret. */
export function digestSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The minimum strength in bits. 32 random hex digits have 128 bits, and 22 base64url characters have 132. */
const MIN_BITS = 72

const BITS = { hex: 4, ofOneCase: 5, ofBoth: 6, ofWords: 1, foreseen: 0 }

/** Detects a text that consists of sequences, keyboard rows, repetitions or words. Fewer than 1 in 100,000 random tokens match. */
export function isPredictable(text: string): boolean {
  const lower = text.toLowerCase()
  const isOfWords = findWords(lower)
  const isOfOneCase = text === lower || text === text.toUpperCase()
  const usual = /^[\da-f-]+$/.test(lower) ? BITS.hex : isOfOneCase ? BITS.ofOneCase : BITS.ofBoth
  const isForeseen = findRepeatedSteps(lower)
  const bits = Array.from(lower, (_, at) =>
    isForeseen(at) ? BITS.foreseen : isOfWords(at) ? BITS.ofWords : usual,
  )
  return bits.reduce((sum, each) => sum + each, 0) < MIN_BITS
}

type Find = (text: string) => (at: number) => boolean

/**
 * Character sequences that occur in predictable texts. Each keyboard row has ten keys, so the key below another key is ten
 * positions later.
 */
const ORDERS = ['0123456789abcdefghijklmnopqrstuvwxyz', '1234567890qwertyuiopasdfghjkl;zxcvbnm,./']

const STEPS = 3

/** Finds characters that continue an earlier pattern of three steps, such as `e` and `f` in `abcdef`. */
const findRepeatedSteps: Find = (text) => {
  const found = new Set<number>()
  for (const order of ORDERS) {
    const places = Array.from(text, (character) =>
      order.includes(character) ? order.indexOf(character) : 1_000 + (character.codePointAt(0) ?? 0),
    )
    const seen = new Set<string>()
    for (let at = STEPS; at < places.length; at++) {
      const [first = 0, ...next] = places.slice(at - STEPS, at + 1)
      const steps = next.map((place) => place - first).join()
      if (seen.has(steps)) found.add(at)
      seen.add(steps)
    }
  }
  return (at) => found.has(at)
}

/** The most common letter pairs. Three quarters of the pairs in English words are common, but only a seventh of random pairs. */
const COMMON_PAIRS = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ' +
    'ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ' +
    'ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh'
  ).split(' '),
)

/**
 * The scores of letter pairs: log2 of the frequency in words divided by the frequency in random text. A text counts as words if
 * its total score is at least `least`.
 */
const LIKELIER = { common: 2.36, other: -1.83, least: 20 }

const findWords: Find = (text) => {
  const found = new Set<number>()
  for (const { 0: part, index } of text.matchAll(/[^\d]+/g)) {
    let likelier = 0
    for (let at = 1; at < part.length; at++) {
      const pair = part.slice(at - 1, at + 1)
      if (/^[a-z]{2}$/.test(pair)) likelier += COMMON_PAIRS.has(pair) ? LIKELIER.common : LIKELIER.other
    }
    if (likelier >= LIKELIER.least) for (let at = 0; at < part.length; at++) found.add(index + at)
  }
  return (at) => found.has(at)
}
