import { acceptedAsUsual, oneEffectAsUsual, type Unusual } from '../../toolkit/as-usual.ts'
import type { CheckContext, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { isFields } from '../../toolkit/crafted.ts'
import { anySubject, type Subject } from '../../toolkit/due.ts'
import { notObservable, PASSED, type Finding } from '../../finding.ts'
import { butUnseen, effectsUnseen, lacking, noUrlFor, typesAmong } from '../../toolkit/unseen.ts'

const NAMED = ['items', 'users', 'companies'] as const

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['emoji', 'Teak chair 🪑 👩🏽‍🔧 for 🇦🇺'],
  ['right-to-left text', 'كرسي خشب الساج · כיסא עץ'],
  ['10 000 characters', 'A long name. '.repeat(800).slice(0, 10_000)],
]

export const longAndForeignText: ReceiverCheck = {
  id: 'body/long-and-foreign-text',
  severity: 'should',
  requirement: 'The receiver takes names and descriptions of any script and of 10 000 characters.',
  lines: [88, 89, 117],
  readings: ['delivery-success'],
  meaning:
    'A customer with a long name or an emoji in a title is enough: the column is too short, the insert fails, and the payment is never booked.',
  remedy: 'Store such text in columns of full Unicode without a short limit, or cut it yourself.',
  async run(context) {
    const types = typesAmong(context, NAMED)
    if (types.length === 0) return noUrlFor(NAMED)
    const unusual: Unusual[] = []
    for (const type of types) {
      const usual = async () => context.noticeOf(await context.world.create(type))
      for (const [what, text] of TEXTS) {
        const notice = context.noticeOf(await context.world.create(type, namesOf(type, text)))
        unusual.push({ notice: { ...notice, label: `${type} with ${what}` }, usual })
      }
    }
    return (await acceptedAsUsual(context, unusual)) ?? butUnseen(PASSED, lacking(context, NAMED))
  },
}

function namesOf(type: string, text: string): object {
  if (type === 'users') return { first_name: text, last_name: text }
  return type === 'items' ? { name: text, description: text } : { name: text, legal_name: text }
}

export const otherSpelling: ReceiverCheck = {
  id: 'body/other-spelling',
  severity: 'should',
  requirement:
    'The receiver reads the same JSON in another order, with other spaces and other escapes, as the same.',
  lines: [294],
  readings: ['delivery-success'],
  uses: ['effects'],
  meaning:
    'The service may change its JSON library any day: what looks for bytes instead of fields misses every payment from then on.',
  remedy: 'Parse the body with a JSON parser, and take values by their keys.',
  run: readsOtherSpellings,
}

/** The same value, written otherwise. */
const SPELLINGS: readonly (readonly [name: string, spell: Spell])[] = [
  ['its keys in another order', (value) => JSON.stringify(reversed(value))],
  ['spaces and line breaks', (value) => spaced(JSON.stringify(value))],
  ['escapes', (value) => escaped(JSON.stringify(value))],
]

async function readsOtherSpellings(context: CheckContext): Promise<Finding> {
  const cases = []
  for (const [what, spell] of SPELLINGS) {
    const subject = await anySubject(context)
    if (!subject) return notObservable('the receiver has no URL')
    cases.push({ what, target: subject.target, notices: spelled(subject, what, spell) })
  }
  const unusual = cases.flatMap(({ notices }) =>
    notices.map((notice) => ({ notice, usual: async () => (await anySubject(context))?.notice ?? notice })),
  )
  const refused = await acceptedAsUsual(context, unusual)
  if (refused) return refused
  const awaited = cases.map(({ what, target }) => ({ target, because: `whose body had ${what}` }))
  const missed = await oneEffectAsUsual(context, ...awaited)
  const unseen = effectsUnseen(context, cases[0]?.target)
  return missed ?? butUnseen(PASSED, unseen)
}

type Spell = (value: unknown) => string

function spelled({ before, notice }: Subject, what: string, spell: Spell): readonly Notice[] {
  const body = spell(JSON.parse(notice.body))
  return [...before, { ...notice, body, label: `${notice.label} with ${what}` }]
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, child]) => [key, reversed(child)]),
  )
}

/** With a space or a line break on both sides of whatever is no value. */
function spaced(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|([:,{}[\]])/g, (_, text?: string, mark?: string) =>
    text === undefined ? `\r\n\t${mark} ` : text,
  )
}

/** Every small letter in keys and texts as `\uXXXX`, but for those of escapes. */
function escaped(json: string): string {
  const letter = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replaceAll(/\\u[0-9a-f]{4}|\\.|[a-z]/gi, (part) => (/^[a-z]$/.test(part) ? letter(part) : part)),
  )
}
