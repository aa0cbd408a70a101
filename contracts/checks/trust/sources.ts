import { leaveFrom } from '../../../sandbox/internal.ts'
import { sendingAddresses, type Generation } from '../../../spec/delivery.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, onePerType } from '../../toolkit/branches.ts'
import {
  combineFindings,
  notObservable,
  unreachable,
  type Exchange,
  type Finding,
  type ObjectRef,
} from '../../finding.ts'
import {
  describeExchange,
  expectAccepted,
  expectEffects,
  expectRefused,
  isReached,
  isRefused,
  requireAccepted,
} from '../../toolkit/expectations.ts'
import { playToSuccess } from '../../toolkit/expected-effect.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'

export const sourceChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/unlisted-source',
    severity: 'should',
    requirement:
      "The receiver rejects notifications from addresses that are not the service's, and accepts each listed address.",
    lines: [275, 279, 280],
    readings: ['environment', 'callback-list'],
    needs: ['source-addresses'],
    uses: ['effects'],
    negative: true,
    meaning:
      'The service sends from five addresses in each generation. A notification from another address is forged. A receiver that omits one of the five loses a part of the true notifications.',
    remedy: 'Allow all addresses of your environment and generation, at the firewall or in the receiver.',
    run: (context) => checkGenerations(context, checkSources),
  },
  {
    id: 'trust/forwarded-source',
    severity: 'must',
    requirement:
      'A receiver that checks the sending address does not take it from a header that the sender can write.',
    lines: [275, 279, 280],
    readings: ['environment', 'callback-list'],
    needs: ['source-addresses'],
    uses: ['effects'],
    negative: true,
    meaning:
      'Anyone can write a listed address into X-Forwarded-For. If the receiver believes this header, its public allow-list admits everyone.',
    remedy:
      'Compare the address of the connection. Behind your own proxy, believe only the header that it overwrites, and only on connections from it. Then run with sourceAddresses and the name of that header.',
    run: checkForwarded,
  },
]

interface Subject {
  readonly generation: Generation
  readonly message: Message
  /** Undefined if nothing has an effect. */
  readonly target: ObjectRef | undefined
}

type SubjectCheck = (context: CheckContext, subject: Subject) => Promise<Finding | undefined>

const GENERATIONS: readonly Generation[] = ['webhooks', 'callbacks']

/** Runs the check for each generation with a URL. */
async function checkGenerations(context: CheckContext, check: SubjectCheck): Promise<Finding> {
  const parts: (Finding | undefined)[] = []
  for (const generation of GENERATIONS) {
    const subject = await createSubject(context, generation)
    if (subject) parts.push(await check(context, subject))
  }
  if (parts.length === 0) return notObservable('It has no URL')
  return combineFindings(parts, unobservedEffects(context))
}

/** Makes a successful payment, or another object. Undefined without a URL. */
async function createSubject(context: CheckContext, generation: Generation): Promise<Subject | undefined> {
  const types = context.receiver.types(generation)
  const { branches } = selectBranches(context, 'good')
  const heard = onePerType(branches).filter(({ parts }) => parts.every(({ type }) => types.includes(type)))
  const [payment] = await playToSuccess(context, heard.slice(0, 1))
  if (payment) return { generation, message: payment.message, target: payment.target }
  const [type] = types
  if (type === undefined) return undefined
  const message = context.messageFor(await context.service.create(type))
  return { generation, message, target: undefined }
}

/** Addresses from ranges for documentation. */
const UNLISTED = ['198.51.100.23', '203.0.113.77'] as const

const checkSources: SubjectCheck = async (context, subject) => {
  const neighbours = neighboursOf(listedAddresses(context, subject))
  const refused = await sendFromEach(context, subject, [...UNLISTED, ...neighbours])
  return (
    expectRefused('a refusal, such as 403 or 404', ...refused) ??
    (await expectNoEffect(context, subject, 'which was notified only from addresses that are not listed')) ??
    expectAccepted(...(await sendFromEach(context, subject, listedAddresses(context, subject))))
  )
}

/** Returns an unlisted address next to a listed one, to find checks by network. */
function neighboursOf(listed: readonly string[]): readonly string[] {
  const neighbours = listed.flatMap((address) => {
    const last = Number(/\d+$/.exec(address)?.[0])
    return [last - 1, last + 1]
      .filter((one) => one > 0 && one < 255)
      .map((one) => address.replace(/\d+$/, `${one}`))
  })
  return neighbours.filter((address) => !listed.includes(address)).slice(0, 1)
}

function listedAddresses(
  { profile }: CheckContext,
  { generation }: Pick<Subject, 'generation'>,
): readonly string[] {
  return sendingAddresses(generation, profile.readings)
}

function sendFromEach(
  context: CheckContext,
  { message, generation }: Subject,
  addresses: readonly string[],
): Promise<readonly Exchange[]> {
  return Promise.all(
    addresses.map((sourceAddress) => {
      const label = `${nameOf(message, generation)}, from ${sourceAddress}`
      return context.send(message, { generation, sourceAddress, label })
    }),
  )
}

function nameOf({ label }: Message, generation: Generation): string {
  return generation === 'callbacks' ? `callback ${label}` : label
}

async function expectNoEffect(
  context: CheckContext,
  { target }: Subject,
  because: string,
): Promise<Finding | undefined> {
  return target && expectEffects(context, target, { effects: 0, because })
}

/** Headers in which an `actual` sender claims to be `listed`. */
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

async function checkForwarded(context: CheckContext): Promise<Finding> {
  if (context.profile.source?.kind !== 'loopback')
    return notObservable(
      'Your proxy writes the source address into a header. To check other headers, bypass the proxy and set sourceAddresses to "loopback"',
    )
  return checkGenerations(context, checkClaims)
}

const checkClaims: SubjectCheck = async (context, subject) => {
  const { message, generation } = subject
  const [sourceAddress] = UNLISTED
  const [plain] = await sendFromEach(context, subject, [sourceAddress])
  if (plain && !isReached(plain)) return unreachable(describeExchange(plain), plain)
  if (plain && !isRefused(plain))
    return notObservable(`It does not look where ${generation} come from: see trust/unlisted-source`)
  const claims = makeClaims(context, subject)
  const sent = await Promise.all(
    claims.map(([name, value]) =>
      context.send(message, {
        generation,
        sourceAddress,
        headers: { [name]: value },
        label: `${nameOf(message, generation)}, from ${sourceAddress} with ${name}: ${value}`,
      }),
    ),
  )
  const because = 'which was notified only from another address, with a listed one in a header'
  return (
    expectRefused('a refusal, such as 403 or 404', ...sent) ??
    (await expectNoEffect(context, subject, because)) ??
    requireAccepted(await context.sendUntilAccepted(message, { generation }))
  )
}

/** Returns each header as a claim, and with the address of this machine. */
function makeClaims(context: CheckContext, subject: Subject): readonly (readonly [string, string])[] {
  const [listed = ''] = listedAddresses(context, subject)
  const [actual] = UNLISTED
  const images = [listed, loopbackImage(listed)]
  return images.flatMap((claimed) => CLAIMS.map((claim) => claim(claimed, actual)))
}

function loopbackImage(address: string): string {
  const message = { url: '', headers: {}, body: new Uint8Array() }
  return leaveFrom(message, address, { kind: 'loopback' }).sourceAddress ?? address
}
