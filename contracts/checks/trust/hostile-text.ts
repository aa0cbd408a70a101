import { withFields } from '../../toolkit/altered.ts'
import type { CheckContext, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { branchesOf, onePerType } from '../../toolkit/branches.ts'
import { failed, notObservable, unreachable, type Finding } from '../../finding.ts'
import { acceptedAll, isReached, told } from '../../toolkit/judge.ts'
import type { Sent } from '../../toolkit/sent.ts'
import { summed } from '../../toolkit/summed.ts'
import { misacted } from '../../toolkit/tell.ts'
import { lastPlayed, unseenEffects, type Finished } from '../finished.ts'

export const hostileTextChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/injection-text',
    severity: 'should',
    requirement:
      'The receiver takes text that looks like SQL, markup, a template or a line of a log for what it is: text.',
    lines: [65, 88, 89, 117],
    readings: ['delivery-success'],
    uses: ['effects'],
    meaning:
      'Customers choose their names, and payers what a payment says. A quotation mark that breaks the handler stops that payment for good; one that gets through runs as a command.',
    remedy: 'Use parameters in SQL, escape in pages and logs, and never build code out of fields.',
    run: injectionText,
  },
  {
    id: 'trust/prototype-keys',
    severity: 'should',
    requirement: 'The receiver is not changed by keys named __proto__ and constructor.',
    lines: [51],
    uses: ['effects'],
    meaning:
      'In JavaScript such keys, merged carelessly, become properties of every object: one forged notification makes later payments look as if they had been handled already.',
    remedy:
      'Read the fields that you know, one by one; keep what you look up in a Map, and merge no bodies into objects.',
    run: prototypeKeys,
  },
  {
    id: 'trust/no-leaks-in-errors',
    severity: 'should',
    requirement: 'The receiver tells nothing of its inside when it refuses or fails.',
    lines: [335],
    negative: true,
    meaning: 'Paths, statements and stack traces tell a forger which software to attack, and with what.',
    remedy: 'Answer errors with a status and a short text of your own; write the details into the log.',
    run: noLeaksInErrors,
  },
]

const TEXTS: readonly string[] = [
  `Robert'); DROP TABLE payments;-- "`,
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '{{7*7}} ${7*7} <%= 7*7 %> #{7*7}',
  'first line\r\n2026-01-01 INFO payment successful amount=1000000\u001b[31m',
]

async function injectionText(context: CheckContext): Promise<Finding> {
  const notices: Notice[] = []
  const types = context.receiver.types()
  for (const text of TEXTS) {
    const items =
      types.includes('items') && (await context.world.create('items', { name: text, description: text }))
    if (items) notices.push(context.noticeOf(items))
    const users =
      types.includes('users') && (await context.world.create('users', { full_name: text, first_name: text }))
    if (users) notices.push(context.noticeOf(users))
  }
  const { branches } = branchesOf(context, 'good')
  const described = branches.filter(({ kind }) => kind === 'npp-payin' || kind === 'direct-credit-payout')
  const paid = await lastPlayed(
    context,
    TEXTS.flatMap(() => described),
  )
  const texts = TEXTS.flatMap((text) => described.map(() => text))
  const records = notices.map(async (notice) => acceptedAll(await context.send(notice)))
  const payments = paid.map((each, index) => injected(context, each, texts[index] ?? ''))
  const unseen = unseenEffects(context, 'Whether the text is kept as it was sent was not seen')
  return summed(await Promise.all([...records, ...payments]), unseen)
}

/** The service shows the same text as the notification has. */
async function injected(
  context: CheckContext,
  finished: Finished,
  text: string,
): Promise<Finding | undefined> {
  const { target, notice } = finished
  const match = { object_type: target.type, object_id: target.id }
  const set = { [`/${target.type}/description`]: text }
  const crafted = await context.world.disturb({ kind: 'crafted-show', match, set })
  const label = `${notice.label} with ${JSON.stringify(text)}`
  const sent = await context.send({ ...withFields(notice, { description: text }), label })
  const finding = acceptedAll(sent) ?? (await misacted(context, finished, 'whatever its description says'))
  await crafted.stop()
  return finding
}

/** The next payments are what the forged notification claims to know already: by their ids, which nothing else has. */
async function prototypeKeys(context: CheckContext): Promise<Finding> {
  const { branches, unseen } = branchesOf(context, 'good')
  const chosen = onePerType(branches)
  const forged = await lastPlayed(context, chosen)
  const later = await lastPlayed(context, chosen)
  const ids = later.flatMap(({ target: { type, id } }) => [id, `${type}/${id}`, `${type}:${id}`])
  const keys = JSON.stringify(Object.fromEntries(ids.map((id) => [id, true])))
  const hostile = `"__proto__":${keys},"constructor":{"prototype":${keys}}`
  const sent = await Promise.all(forged.map(({ notice }) => context.send(polluted(notice, hostile))))
  const lost = sent.find((one) => !isReached(one))
  if (lost) return unreachable(told(lost))
  const parts = await Promise.all(later.map((each) => spoilt(context, each)))
  return summed(parts, unseenEffects(context, unseen))
}

/** At the top and within the object. */
function polluted(notice: Notice, hostile: string): Notice {
  const inner = notice.body.replace(`{"${notice.type}":{`, () => `{"${notice.type}":{${hostile},`)
  return {
    ...notice,
    body: inner.replace('{', () => `{${hostile},`),
    label: `${notice.label}, with __proto__ and constructor`,
  }
}

async function spoilt(context: CheckContext, finished: Finished): Promise<Finding | undefined> {
  const { notice } = finished
  const label = `${notice.label}, after the forged one`
  const refused = acceptedAll(await context.sendUntilAccepted(notice, { label }))
  return (
    refused ??
    misacted(context, finished, 'after another notification had keys named __proto__ and constructor')
  )
}

/** What software says of itself when it fails unattended. */
const LEAKS: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  {
    name: 'a stack trace',
    pattern: /^\s*at .+[:(]\d+|Traceback \(most recent call last\)|\bgoroutine \d+ \[|\.java:\d+\)/m,
  },
  {
    name: 'a path of its machine',
    pattern:
      /(?:\/(?:home|usr|var|app|srv|opt|root)\/|node_modules\/|[A-Z]:\\)[\w@./\\-]+\.(?:[cm]?[jt]sx?|py|rb|php|java|go|cs)\b/,
  },
  {
    name: 'SQL',
    pattern: /\bSQLSTATE\b|\bSQLITE_[A-Z]+|\bselect\b.+\bfrom\b.+\bwhere\b|\binsert into\b|\bdelete from\b/i,
  },
  { name: 'a secret', pattern: /\bBearer [\w.-]{8,}|\b(?:client_secret|api_token|password)["']?\s*[:=]/i },
]

async function noLeaksInErrors(context: CheckContext): Promise<Finding> {
  const type = context.receiver.types()[0]
  if (type === undefined) return notObservable('It has no URL')
  const url = context.receiver.url(type)
  const sent: Sent[] = []
  for (const { label, body } of faultyBodies(type)) sent.push(await context.post({ url, body, label }))
  const notice = context.noticeOf(await context.world.create(type))
  const trouble = await context.world.disturb({
    kind: 'status',
    status: 500,
    match: { object_id: notice.id },
  })
  sent.push(await context.send(notice, { label: `${notice.label}, while the service fails` }))
  await trouble.stop()
  const answered = sent.filter(({ response }) => response !== null)
  const lost = sent.find((one) => !isReached(one))
  if (lost) return unreachable(told(lost))
  if (answered.length === 0) return notObservable('It answered none of the errors')
  return summed(answered.map(leaking))
}

function faultyBodies(type: string): readonly { readonly label: string; readonly body: string }[] {
  return [
    { label: 'broken JSON', body: `{"${type}": {"id": "a` },
    { label: 'an empty body', body: '' },
    { label: 'null', body: 'null' },
    { label: 'an object of nulls', body: JSON.stringify({ [type]: { id: null, state: null, links: null } }) },
    {
      label: 'fields of other kinds',
      body: JSON.stringify({ [type]: { id: { a: [] }, state: 7, amount: 'x' } }),
    },
    { label: 'an id that is SQL', body: JSON.stringify({ [type]: { id: "' OR 1=1;--", state: 'x' } }) },
  ]
}

function leaking({ label, status, response }: Sent): Finding | undefined {
  const body = response?.body ?? ''
  const leak = LEAKS.find(({ pattern }) => pattern.test(body))
  return (
    leak &&
    failed('an answer without details of the inside', `${label} was answered ${status} with ${leak.name}`)
  )
}
