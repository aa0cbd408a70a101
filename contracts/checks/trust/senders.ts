import { leaveFrom } from '../../../sandbox/internal.ts'
import { sendingAddresses, type Generation } from '../../../spec/delivery.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, onePerType } from '../../toolkit/branches.ts'
import { combineFindings, notObservable, type Finding, type ObjectRef } from '../../finding.ts'
import {
  expectAccepted,
  expectRefusedWithoutEffect,
  isRefused,
  requireAccepted,
  requireReached,
} from '../../toolkit/expectations.ts'
import { playToSuccess } from '../../toolkit/expected-effect.ts'
import { isToken, named } from '../../toolkit/messages.ts'
import { checkEffects } from '../../toolkit/payment-outcome.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'

export const senderChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/other-url-token',
    severity: 'must',
    requirement:
      'The receiver rejects a notification at a URL with a wrong token, and does not act on the notification.',
    lines: [282],
    uses: ['effects'],
    negative: true,
    meaning:
      'A stranger must guess the token in the URL before sending a forged notification. If the receiver accepts any token, anyone can claim that a payment has succeeded.',
    remedy:
      'Compare the complete path segment with the token, in constant time. Answer 404 to a path with a wrong token.',
    run: checkOtherTokens,
  },
  {
    id: 'trust/unlisted-source',
    severity: 'should',
    requirement:
      'The receiver rejects notifications from unlisted addresses, and accepts each documented address of the service.',
    lines: [275, 279, 280],
    readings: ['environment', 'callback-list'],
    needs: ['source-addresses'],
    uses: ['effects'],
    negative: true,
    meaning:
      'The service sends from five addresses in each API generation. A notification from another address is forged. If you omit one of the five addresses, you lose some of the genuine notifications.',
    remedy: 'Allow all addresses of your environment and generation, at the firewall or in the receiver.',
    run: (context) => checkGenerations(context, checkSources),
  },
  {
    id: 'trust/forwarded-source',
    severity: 'must',
    requirement:
      'A receiver that checks the source address does not take it from a header that the sender controls.',
    lines: [275, 279, 280],
    readings: ['environment', 'callback-list'],
    needs: ['source-addresses'],
    uses: ['effects'],
    negative: true,
    meaning:
      'Anyone can write a listed address into X-Forwarded-For. If the receiver trusts X-Forwarded-For, the allow-list admits everyone.',
    remedy:
      'Compare the source address of the connection with the allow-list. Behind your own proxy, trust only the header that the proxy overwrites, and only on connections from the proxy. Then set sourceAddresses to the name of the overwritten header, and run the check.',
    async run(context) {
      if (context.profile.source?.kind === 'loopback') return checkGenerations(context, checkClaims)
      return notObservable(
        'The check cannot test other headers, because your proxy writes the source address into one header. To check the other headers, send directly to the receiver, without the proxy, and set sourceAddresses to "loopback"',
      )
    },
  },
]

async function checkOtherTokens(context: CheckContext): Promise<Finding> {
  const { branches } = selectBranches(context, 'good')
  const [payment] = await playToSuccess(context, branches.slice(0, 1))
  if (!payment) return notObservable('the receiver is not notified of any payment')
  const { message, target } = payment
  const urls = makeOtherUrls(context.receiver.url(message.type))
  if (urls.length === 0) return notObservable('the URL has no segment that is hard to guess')
  const sent = await Promise.all(
    urls.map(({ name, url }) =>
      context.post({ url, body: message.body, about: message, label: `${message.label}, token ${name}` }),
    ),
  )
  const expected = {
    refusal: 'a rejection, such as 404, 401 or 403',
    because: 'whose notifications went only to URLs with a wrong token',
  }
  const finding =
    (await expectRefusedWithoutEffect(context, { sent, target }, expected)) ??
    requireAccepted(await context.sendUntilAccepted(message)) ??
    (await checkEffects(context, payment, 'when its notification arrives at the right URL'))
  return combineFindings([finding], unobservedEffects(context))
}

function makeOtherUrls(url: string) {
  const token = url.split(/[/?&=]/).findLast(isToken)
  if (token === undefined) return []
  const last = token.at(-1) === 'a' ? 'b' : 'a'
  const swapped = token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase()
  const variants = [
    { name: 'changed', token: token.slice(0, -1) + last },
    { name: 'shortened', token: token.slice(0, -1) },
    { name: 'in other case', token: swapped },
  ].filter((variant) => variant.token !== token)
  const withOther = (other: string) => url.split(token).join(other)
  return [
    ...variants.map((variant) => ({ name: variant.name, url: withOther(variant.token) })),
    { name: 'missing', url: url.includes(`/${token}`) ? url.replace(`/${token}`, '') : withOther('') },
  ]
}

interface Subject {
  readonly generation: Generation
  readonly message: Message
  /** The object on which the platform acts. Undefined if no notification to the receiver has an effect. */
  readonly target: ObjectRef | undefined
  /** The documented addresses from which the service sends. */
  readonly listed: readonly string[]
}

async function checkGenerations(
  context: CheckContext,
  check: (context: CheckContext, subject: Subject) => Promise<Finding | undefined>,
): Promise<Finding> {
  const parts: (Finding | undefined)[] = []
  for (const generation of ['webhooks', 'callbacks'] as const) {
    const subject = await createSubject(context, generation)
    if (subject) parts.push(await check(context, subject))
  }
  if (parts.length === 0) return notObservable('the receiver has no URL')
  return combineFindings(parts, unobservedEffects(context))
}

async function createSubject(context: CheckContext, generation: Generation): Promise<Subject | undefined> {
  const listed = sendingAddresses(generation, context.profile.readings)
  const types = context.receiver.types(generation)
  const { branches } = selectBranches(context, 'good')
  const heard = onePerType(branches).filter(({ parts }) => parts.every(({ type }) => types.includes(type)))
  const [payment] = await playToSuccess(context, heard.slice(0, 1))
  if (payment) return { generation, message: payment.message, target: payment.target, listed }
  const [type] = types
  if (type === undefined) return undefined
  const message = await context.service.create(type)
  return { generation, message, target: undefined, listed }
}

const REFUSAL = 'a rejection, such as 403 or 404'

/** Addresses that the service does not use, because RFC 5737 reserves them for documentation. */
const UNLISTED = ['198.51.100.23', '203.0.113.77'] as const

async function checkSources(context: CheckContext, subject: Subject): Promise<Finding | undefined> {
  const { listed, target } = subject
  const sent = await sendFromEach(context, subject, [...UNLISTED, ...neighboursOf(listed)])
  const because = 'whose notifications came only from unlisted addresses'
  return (
    (await expectRefusedWithoutEffect(context, { sent, target }, { refusal: REFUSAL, because })) ??
    expectAccepted(...(await sendFromEach(context, subject, listed)))
  )
}

/** Returns an unlisted address next to a listed address, because a receiver may allow the whole network. */
function neighboursOf(listed: readonly string[]): readonly string[] {
  const neighbours = listed.flatMap((address) => {
    const last = Number(/\d+$/.exec(address)?.[0])
    return [last - 1, last + 1]
      .filter((one) => one > 0 && one < 255)
      .map((one) => address.replace(/\d+$/, `${one}`))
  })
  return neighbours.filter((address) => !listed.includes(address)).slice(0, 1)
}

function sendFromEach(context: CheckContext, { message, generation }: Subject, addresses: readonly string[]) {
  return Promise.all(
    addresses.map((sourceAddress) => {
      const from = named(nameGeneration(message, generation), `from ${sourceAddress}`)
      return context.send(from, { generation, sourceAddress })
    }),
  )
}

function nameGeneration(message: Message, generation: Generation): Message {
  return generation === 'callbacks' ? { ...message, label: `callback ${message.label}` } : message
}

/** Headers in which a sender with the address `actual` claims to have the address `listed`. */
const CLAIMS: readonly ((listed: string, actual: string) => readonly [name: string, value: string])[] = [
  (listed) => ['x-forwarded-for', listed],
  (listed, actual) => ['x-forwarded-for', `${listed}, ${actual}`],
  (listed, actual) => ['x-forwarded-for', `${actual}, ${listed}`],
  (listed) => ['forwarded', `for=${listed};proto=https`],
  (listed, actual) => ['forwarded', `for=${actual}, for=${listed}`],
  ...['x-real-ip', 'true-client-ip', 'cf-connecting-ip', 'x-client-ip', 'x-cluster-client-ip'].map(
    (name) => (listed: string) => [name, listed] as const,
  ),
]

async function checkClaims(context: CheckContext, subject: Subject): Promise<Finding | undefined> {
  const { message, generation, target, listed } = subject
  const [sourceAddress] = UNLISTED
  const [plain] = await sendFromEach(context, subject, [sourceAddress])
  const lost = plain && requireReached(plain)
  if (lost) return lost
  if (plain && !isRefused(plain))
    return notObservable(
      `the receiver does not check the source address of ${generation}: see trust/unlisted-source`,
    )
  // On loopback, the first byte of a listed address is replaced with 127. Each header claims one of these two addresses.
  const [first = ''] = listed
  const empty = { url: '', headers: {}, body: new Uint8Array() }
  const { sourceAddress: image = first } = leaveFrom(empty, first, { kind: 'loopback' })
  const images = [first, image]
  const claims = images.flatMap((claimed) => CLAIMS.map((claim) => claim(claimed, sourceAddress)))
  const sent = await Promise.all(
    claims.map(([name, value]) => {
      const from = named(nameGeneration(message, generation), `from ${sourceAddress} with ${name}: ${value}`)
      return context.send(from, { generation, sourceAddress, headers: { [name]: value } })
    }),
  )
  const because = 'whose notifications came only from an unlisted address, with a listed address in a header'
  return (
    (await expectRefusedWithoutEffect(context, { sent, target }, { refusal: REFUSAL, because })) ??
    requireAccepted(await context.sendUntilAccepted(message, { generation }))
  )
}
