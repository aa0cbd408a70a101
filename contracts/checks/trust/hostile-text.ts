import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, onePerType } from '../../toolkit/branches.ts'
import { combineFindings, notObservable, type Exchange, type Finding } from '../../finding.ts'
import { expectAccepted, failedExchange, requireReached } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { craftMessage, named } from '../../toolkit/messages.ts'
import { checkEffects } from '../../toolkit/payment-outcome.ts'
import { typesWithUrl, unobservedEffects } from '../../toolkit/unobserved.ts'

export const hostileTextChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/injection-text',
    severity: 'should',
    requirement:
      'The receiver treats text that looks like SQL, markup, a template or a log line as plain text.',
    lines: [65, 88, 89, 117],
    readings: ['delivery-success'],
    uses: ['effects'],
    meaning:
      'Customers control the names, and payers control the payment texts, that your platform receives. If a quotation mark breaks the handler, your platform never handles the payment. Unescaped text can run as a command.',
    remedy: 'Use parameters in SQL, escape text in pages and logs, and never build code from field values.',
    run: checkInjection,
  },
  {
    id: 'trust/prototype-keys',
    severity: 'should',
    requirement: 'Keys named __proto__ and constructor in a body do not change the behavior of the receiver.',
    lines: [51],
    uses: ['effects'],
    meaning:
      'In JavaScript, a careless merge of __proto__ or constructor sets values on every object. After one forged notification, later payments can look as if they were already handled.',
    remedy: 'Read the known fields one by one. Use a Map for lookups, and do not merge bodies into objects.',
    run: checkPrototypeKeys,
  },
  {
    id: 'trust/no-leaks-in-errors',
    severity: 'should',
    requirement: 'The receiver reveals no internals when it rejects a request or fails.',
    lines: [335],
    negative: true,
    meaning: 'File paths, SQL statements and stack traces tell a forger which software to attack, and how.',
    remedy:
      'Answer errors with a status and a short text that you wrote yourself. Write the details into the log.',
    run: checkLeaks,
  },
]

const TEXTS: readonly string[] = [
  `Robert'); DROP TABLE payments;-- "`,
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '{{7*7}} ${7*7} <%= 7*7 %> #{7*7}',
  'first line\r\n2026-01-01 INFO payment successful amount=1000000\u001b[31m',
]

async function checkInjection(context: CheckContext): Promise<Finding> {
  const records: Message[] = []
  for (const text of TEXTS) {
    for (const type of typesWithUrl(context, ['items', 'users'])) {
      const fields =
        type === 'items' ? { name: text, description: text } : { full_name: text, first_name: text }
      records.push(nameText(await context.service.create(type, fields), text))
    }
  }
  const { branches } = selectBranches(context, 'good')
  const described = branches.filter(({ kind }) => kind === 'npp-payin' || kind === 'direct-credit-payout')
  const paid = await Array.fromAsync(TEXTS, () => playToSuccess(context, described))
  const findings = await Promise.all([
    ...records.map(async (message) => expectAccepted(await context.send(message))),
    ...TEXTS.flatMap((text, index) => (paid[index] ?? []).map((each) => sendInjection(context, each, text))),
  ])
  const limit = 'the text as the receiver stores it'
  return combineFindings(findings, unobservedEffects(context), limit)
}

function nameText(message: Message, text: string): Message {
  return { ...message, label: `${message.label} with ${JSON.stringify(text)}` }
}

/** Sends a notification with this description. The service returns the same description. */
async function sendInjection(context: CheckContext, payment: PaymentToNotify, text: string) {
  const { message } = payment
  const crafted = await craftMessage(context, message, (object) => ({ ...object, description: text }))
  const sent = await context.send(nameText(crafted, text))
  return expectAccepted(sent) ?? checkEffects(context, payment, 'regardless of its description')
}

/** Sends keys that pollute the prototype, so that a vulnerable receiver considers later payments processed. */
async function checkPrototypeKeys(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const chosen = onePerType(branches)
  const forged = await playToSuccess(context, chosen)
  const later = await playToSuccess(context, chosen)
  const ids = later.flatMap(({ target: { type, id } }) => [id, `${type}/${id}`, `${type}:${id}`])
  const keys = JSON.stringify(Object.fromEntries(ids.map((id) => [id, true])))
  const hostile = `"__proto__":${keys},"constructor":{"prototype":${keys}}`
  const sent = await Promise.all(
    forged.map(({ message }) => context.send(addPrototypeKeys(message, hostile))),
  )
  const lost = requireReached(...sent)
  if (lost) return lost
  const parts = await Promise.all(later.map((each) => checkLaterPayment(context, each, sent)))
  return combineFindings(parts, unobservedEffects(context), unobserved)
}

function addPrototypeKeys(message: Message, hostile: string): Message {
  const inner = message.body.replace(`{"${message.type}":{`, () => `{"${message.type}":{${hostile},`)
  const body = inner.replace('{', () => `{${hostile},`)
  return { ...named(message, 'with __proto__ and constructor'), body }
}

async function checkLaterPayment(
  context: CheckContext,
  payment: PaymentToNotify,
  exchanges: readonly Exchange[],
): Promise<Finding | undefined> {
  const because = 'after another notification had keys named __proto__ and constructor'
  const later = await context.sendUntilAccepted(named(payment.message, 'after the forged notification'))
  const finding = expectAccepted(later) ?? (await checkEffects(context, payment, because))
  if (finding?.kind !== 'failed') return finding
  return { ...finding, evidence: { objects: [payment.target], exchanges } }
}

const LEAKS: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  {
    name: 'a stack trace',
    pattern: /^\s*at .+[:(]\d+|Traceback \(most recent call last\)|\bgoroutine \d+ \[|\.java:\d+\)/m,
  },
  {
    name: 'a file path of the machine',
    pattern:
      /(?:\/(?:home|usr|var|app|srv|opt|root)\/|node_modules\/|[A-Z]:\\)[\w@./\\-]+\.(?:[cm]?[jt]sx?|py|rb|php|java|go|cs)\b/,
  },
  {
    name: 'SQL',
    pattern: /\bSQLSTATE\b|\bSQLITE_[A-Z]+|\bselect\b.+\bfrom\b.+\bwhere\b|\binsert into\b|\bdelete from\b/i,
  },
  { name: 'a secret', pattern: /\bBearer [\w.-]{8,}|\b(?:client_secret|api_token|password)["']?\s*[:=]/i },
]

async function checkLeaks(context: CheckContext): Promise<Finding> {
  const type = context.receiver.types()[0]
  if (type === undefined) return notObservable('the receiver has no URL')
  const url = context.receiver.url(type)
  const sent = await Array.fromAsync(makeFaultyBodies(type), ([label, body]) =>
    context.post({ url, body, label }),
  )
  const message = await context.service.create(type)
  const trouble = await context.service.disturb(message, { kind: 'status', status: 500 })
  sent.push(await context.send(named(message, 'while the service fails')))
  await trouble.stop()
  const answered = sent.filter(({ response }) => response !== null)
  if (answered.length === 0)
    return requireReached(...sent) ?? notObservable('the receiver answered none of these requests')
  return requireReached(...sent) ?? combineFindings(answered.map(findLeak))
}

function makeFaultyBodies(type: string): readonly (readonly [label: string, body: string])[] {
  return [
    ['broken JSON', `{"${type}": {"id": "a`],
    ['an empty body', ''],
    ['null', 'null'],
    ['an object of nulls', JSON.stringify({ [type]: { id: null, state: null, links: null } })],
    ['fields of the wrong type', JSON.stringify({ [type]: { id: { a: [] }, state: 7, amount: 'x' } })],
    ['an id that contains SQL', JSON.stringify({ [type]: { id: "' OR 1=1;--", state: 'x' } })],
  ]
}

function findLeak(exchange: Exchange): Finding | undefined {
  const { label, status, response } = exchange
  const body = response?.body ?? ''
  const leak = LEAKS.find(({ pattern }) => pattern.test(body))
  const actual = `${label} was answered ${status} with ${leak?.name}`
  return leak && failedExchange('an answer without internal details', exchange, actual)
}
