import { sendingAddresses } from '../../../spec/delivery.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, onePerType } from '../../toolkit/branches.ts'
import { combineFindings, notObservable, type Finding } from '../../finding.ts'
import { expectAccepted, expectEffects, expectRefused, requireAccepted } from '../../toolkit/expectations.ts'
import { playToEnd, type FinishedPayment } from '../../toolkit/expected-effect.ts'
import { checkEffects } from '../../toolkit/payment-outcome.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'

export const endpointChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/other-url-token',
    severity: 'must',
    requirement:
      'The receiver refuses a notification at a URL whose token is not its own, and does not act on it.',
    lines: [282],
    uses: ['effects'],
    negative: true,
    meaning:
      'The token in the URL is what a stranger has to guess. If any other works as well, it protects nothing: payments can be claimed by anybody.',
    remedy:
      'Compare the whole segment with the token, letter by letter, in constant time; answer 404 to everything else.',
    run: checkOtherTokens,
  },
  {
    id: 'trust/unlisted-source',
    severity: 'should',
    requirement:
      'The receiver refuses notifications that come from no address of the service, and accepts those of each listed one.',
    lines: [275, 279, 280],
    readings: ['environment', 'callback-list'],
    needs: ['source-addresses'],
    uses: ['effects'],
    negative: true,
    meaning:
      'The service sends from five addresses. What comes from elsewhere is forged; and who forgets one of the five loses a part of the true notifications.',
    remedy:
      'Allow the addresses of your environment and generation, all of them, at the firewall or in the receiver.',
    run: checkSources,
  },
]

async function checkOtherTokens(context: CheckContext): Promise<Finding> {
  const { branches } = selectBranches(context, 'good')
  const finished = (await playToEnd(context, onePerType(branches))).slice(0, 1)
  const [payment] = finished
  if (!payment) return notObservable('It is notified of no payment')
  const urls = makeOtherUrls(context.receiver.url(payment.message.type))
  if (urls.length === 0) return notObservable('Its URL has no segment that is hard to guess')
  return combineFindings([await checkOtherUrls(context, payment, urls)], unobservedEffects(context))
}

interface OtherUrl {
  readonly name: string
  readonly url: string
}

/** After the refusals the same body is accepted: it was the token that was refused. */
async function checkOtherUrls(
  context: CheckContext,
  finished: FinishedPayment,
  urls: readonly OtherUrl[],
): Promise<Finding | undefined> {
  const { message, target } = finished
  const sent = await Promise.all(
    urls.map(({ name, url }) =>
      context.post({ url, body: message.body, about: message, label: `${message.label}, token ${name}` }),
    ),
  )
  return (
    expectRefused('a refusal, such as 404, 401 or 403', ...sent) ??
    (await expectEffects(context, target, {
      effects: 0,
      because: 'which was notified only at other URLs',
    })) ??
    requireAccepted(await context.sendUntilAccepted(message)) ??
    checkEffects(context, finished, 'when it is notified at the right URL')
  )
}

/** None if there is no token that could be changed. */
function makeOtherUrls(url: string): readonly OtherUrl[] {
  const token = url.split(/[/?&=]/).findLast(isToken)
  if (token === undefined) return []
  const last = token.at(-1) === 'a' ? 'b' : 'a'
  const swapped = token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase()
  const variants = [
    { name: 'changed', token: token.slice(0, -1) + last },
    { name: 'shortened', token: token.slice(0, -1) },
    { name: 'in other letters', token: swapped },
  ].filter((variant) => variant.token !== token)
  const withOther = (other: string) => url.split(token).join(other)
  return [
    ...variants.map((variant) => ({ name: variant.name, url: withOther(variant.token) })),
    { name: 'missing', url: url.includes(`/${token}`) ? url.replace(`/${token}`, '') : withOther('') },
  ]
}

/** At least 128 bits of chance; small letters alone are a name. */
function isToken(segment: string): boolean {
  return /^[0-9a-f-]{32,}$/i.test(segment) || (/^[\w-]{22,}$/.test(segment) && /[0-9A-Z]/.test(segment))
}

/** Of ranges that are kept for examples. */
const UNLISTED = ['198.51.100.23', '203.0.113.77'] as const

async function checkSources(context: CheckContext): Promise<Finding> {
  const { branches } = selectBranches(context, 'good')
  const [payment] = await playToEnd(context, onePerType(branches).slice(0, 1))
  const type = payment?.message.type ?? context.receiver.types()[0]
  if (type === undefined) return notObservable('It has no URL')
  const message = payment?.message ?? context.messageFor(await context.service.create(type))
  const refused = await sendFromEach(context, message, UNLISTED)
  const wrong = expectRefused('a refusal, such as 403 or 404', ...refused)
  if (wrong) return wrong
  if (payment) {
    const because = 'which was notified only from addresses that are not listed'
    const acted = await expectEffects(context, payment.target, { effects: 0, because })
    if (acted) return acted
  }
  const listed = sendingAddresses('webhooks', context.profile.readings)
  return combineFindings(
    [expectAccepted(...(await sendFromEach(context, message, listed)))],
    unobservedEffects(context),
  )
}

function sendFromEach(context: CheckContext, message: Message, addresses: readonly string[]) {
  return Promise.all(
    addresses.map((sourceAddress) =>
      context.send(message, { sourceAddress, label: `${message.label}, from ${sourceAddress}` }),
    ),
  )
}
