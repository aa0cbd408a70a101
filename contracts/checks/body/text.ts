import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { PASSED, notObservable, withUnobserved, type Finding } from '../../finding.ts'
import {
  acceptedLikeControl,
  oneEffectLikeControl,
  type Comparison,
} from '../../toolkit/control-comparison.ts'
import { createSample, type Sample } from '../../toolkit/expected-effect.ts'
import { isJsonObject } from '../../toolkit/messages.ts'
import { describeMissingUrls, noUrlFor, typesWithUrl, unobservedEffectsOn } from '../../toolkit/unobserved.ts'

const NAMED = ['items', 'users', 'companies'] as const

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['emoji', 'Teak chair 🪑 👩🏽‍🔧 for 🇦🇺'],
  ['right-to-left text', 'كرسي خشب الساج · כיסא עץ'],
  ['10 000 characters', 'A long name. '.repeat(800).slice(0, 10_000)],
]

export const longAndForeignText: ReceiverCheck = {
  id: 'body/long-and-foreign-text',
  severity: 'must',
  requirement: 'The receiver accepts names and descriptions in any script and with 10 000 characters.',
  lines: [88, 89, 117],
  readings: ['delivery-success'],
  meaning:
    'A customer with a long name or an emoji in a title is enough. The column is too short, the insert fails, and the payment is never booked.',
  remedy: 'Store such text in columns with full Unicode and without a short limit, or cut the text yourself.',
  async run(context) {
    const types = typesWithUrl(context, NAMED)
    if (types.length === 0) return noUrlFor(NAMED)
    const comparisons: Comparison[] = []
    for (const type of types) {
      const control = async () => context.messageFor(await context.service.create(type))
      for (const [what, text] of TEXTS) {
        const message = context.messageFor(await context.service.create(type, makeNames(type, text)))
        comparisons.push({ message: { ...message, label: `${type} with ${what}` }, control })
      }
    }
    return (
      (await acceptedLikeControl(context, comparisons)) ??
      withUnobserved(PASSED, describeMissingUrls(context, NAMED))
    )
  },
}

function makeNames(type: string, text: string): object {
  if (type === 'users') return { first_name: text, last_name: text }
  return type === 'items' ? { name: text, description: text } : { name: text, legal_name: text }
}

export const otherSpelling: ReceiverCheck = {
  id: 'body/other-spelling',
  severity: 'should',
  requirement:
    'The receiver gets the same result from the same JSON in another order, with other spaces and other escapes.',
  lines: [294],
  readings: ['delivery-success'],
  uses: ['effects'],
  meaning:
    'The service may change its JSON library on any day. A receiver that searches for bytes instead of fields then misses every payment.',
  remedy: 'Parse the body with a JSON parser, and read values by their keys.',
  run: checkOtherSpellings,
}

/** Other spellings of the same value. */
const SPELLINGS: readonly (readonly [name: string, spell: Spell])[] = [
  ['its keys in another order', (value) => JSON.stringify(reverseKeys(value))],
  ['spaces and line breaks', (value) => addSpaces(JSON.stringify(value))],
  ['escapes', (value) => escapeLetters(JSON.stringify(value))],
]

async function checkOtherSpellings(context: CheckContext): Promise<Finding> {
  const cases = []
  for (const [what, spell] of SPELLINGS) {
    const subject = await createSample(context)
    if (!subject) return notObservable('the receiver has no URL')
    cases.push({ what, target: subject.target, messages: respell(subject, what, spell) })
  }
  const comparisons = cases.flatMap(({ messages }) =>
    messages.map((message) => ({
      message,
      control: async () => (await createSample(context))?.message ?? message,
    })),
  )
  const refused = await acceptedLikeControl(context, comparisons)
  if (refused) return refused
  const awaited = cases.map(({ what, target }) => ({ target, because: `from a body with ${what}` }))
  const missed = await oneEffectLikeControl(context, ...awaited)
  const unobserved = unobservedEffectsOn(context, cases[0]?.target)
  return missed ?? withUnobserved(PASSED, unobserved)
}

type Spell = (value: unknown) => string

function respell({ before, message }: Sample, what: string, spell: Spell): readonly Message[] {
  const body = spell(JSON.parse(message.body))
  return [...before, { ...message, body, label: `${message.label} with ${what}` }]
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, child]) => [key, reverseKeys(child)]),
  )
}

/** Adds whitespace around every structural character. */
function addSpaces(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|([:,{}[\]])/g, (_, text?: string, mark?: string) =>
    text === undefined ? `\r\n\t${mark} ` : text,
  )
}

/** Writes lower-case letters as `\uXXXX`, except in escapes. */
function escapeLetters(json: string): string {
  const letter = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replaceAll(/\\u[0-9a-f]{4}|\\.|[a-z]/gi, (part) => (/^[a-z]$/.test(part) ? letter(part) : part)),
  )
}
