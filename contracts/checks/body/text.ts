import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { withUnobserved, type Finding } from '../../finding.ts'
import {
  acceptedLikeControl,
  comparePayment,
  oneEffectLikeControl,
  type Comparison,
  type UnusualPayment,
} from '../../toolkit/control-comparison.ts'
import { createSample } from '../../toolkit/expected-effect.ts'
import { isJsonObject } from '../../toolkit/messages.ts'
import {
  describeMissingUrls,
  NO_URL,
  noUrlFor,
  typesWithUrl,
  unobservedEffectsOn,
} from '../../toolkit/unobserved.ts'

const NAMED = ['items', 'users', 'companies'] as const

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['emoji', 'Teak chair 🪑 👩🏽‍🔧 for 🇦🇺'],
  ['right-to-left text', 'كرسي خشب الساج · כיסא עץ'],
  ['10 000 characters', 'A long name. '.repeat(800).slice(0, 10_000)],
]

const SPELLINGS: readonly (readonly [name: string, spell: (value: unknown) => string])[] = [
  ['keys in another order', (value) => JSON.stringify(reverseKeys(value))],
  ['different spaces and line breaks', (value) => addSpaces(JSON.stringify(value))],
  ['escapes', (value) => escapeLetters(JSON.stringify(value))],
]

export const textChecks: readonly ReceiverCheck[] = [
  {
    id: 'body/long-and-foreign-text',
    severity: 'must',
    requirement:
      'The receiver accepts names and descriptions in any script and with up to 10 000 characters.',
    lines: [88, 89, 117],
    readings: ['delivery-success'],
    meaning:
      'A long customer name or an emoji in a title can break the receiver. The column is too short, the insert fails, and the payment is never booked.',
    remedy:
      'Store names and descriptions in columns with full Unicode and without a short limit. Or shorten the text before you store it.',
    async run(context) {
      const types = typesWithUrl(context, NAMED)
      if (types.length === 0) return noUrlFor(NAMED)
      const comparisons: Comparison[] = []
      for (const type of types) {
        const control = () => context.service.create(type)
        for (const [name, text] of TEXTS) {
          const message = await context.service.create(type, makeNames(type, text))
          comparisons.push({ message: { ...message, label: `${type} with ${name}` }, control })
        }
      }
      const refused = await acceptedLikeControl(context, comparisons)
      return withUnobserved(refused, describeMissingUrls(context, NAMED))
    },
  },
  {
    id: 'body/other-spelling',
    severity: 'should',
    requirement:
      'Reordered keys, different whitespace and different escapes in the JSON do not change the result in the receiver.',
    lines: [294],
    readings: ['delivery-success'],
    uses: ['effects'],
    meaning:
      'The service may change its JSON library at any time. If this library changes, a receiver that searches the body for fixed bytes, instead of fields, misses every payment.',
    remedy: 'Parse the body with a JSON parser, and read values by their keys.',
    run: checkOtherSpellings,
  },
]

function makeNames(type: string, text: string): object {
  if (type === 'users') return { first_name: text, last_name: text }
  return type === 'items' ? { name: text, description: text } : { name: text, legal_name: text }
}

async function checkOtherSpellings(context: CheckContext): Promise<Finding> {
  const payments: UnusualPayment[] = []
  const comparisons: Comparison[] = []
  for (const [name, spell] of SPELLINGS) {
    const sample = await createSample(context)
    if (!sample) return NO_URL
    const { before, message, target } = sample
    const body = spell(JSON.parse(message.body))
    const messages = [...before, { ...message, body, label: `${message.label} with ${name}` }]
    comparisons.push(...comparePayment(context, messages))
    payments.push({ target, because: `from a body with ${name}` })
  }
  const finding =
    (await acceptedLikeControl(context, comparisons)) ?? (await oneEffectLikeControl(context, ...payments))
  return withUnobserved(finding, unobservedEffectsOn(context, payments[0]?.target))
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, child]) => [key, reverseKeys(child)] as const)
  return Object.fromEntries(entries.toReversed())
}

function addSpaces(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|([:,{}[\]])/g, (_, text?: string, mark?: string) =>
    text === undefined ? `\r\n\t${mark} ` : text,
  )
}

/** Writes lower-case letters as `\uXXXX`, except letters that belong to an escape sequence. */
function escapeLetters(json: string): string {
  const letter = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replaceAll(/\\u[0-9a-f]{4}|\\.|[a-z]/gi, (part) => (/^[a-z]$/.test(part) ? letter(part) : part)),
  )
}
