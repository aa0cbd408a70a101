import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, onePerType } from '../../toolkit/branches.ts'
import { combineFindings, notObservable, type Finding } from '../../finding.ts'
import { expectEffects, expectRefused, requireAccepted } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { checkEffects } from '../../toolkit/payment-outcome.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'

export const endpointChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/other-url-token',
    severity: 'must',
    requirement: 'The receiver rejects a notification at a URL with another token, and does not act on it.',
    lines: [282],
    uses: ['effects'],
    negative: true,
    meaning:
      'The token in the URL is the part that a stranger has to guess. If the receiver accepts any token, anyone can claim a payment.',
    remedy: 'Compare the complete segment with the token, in constant time. Answer 404 to everything else.',
    run: checkOtherTokens,
  },
]

async function checkOtherTokens(context: CheckContext): Promise<Finding> {
  const { branches } = selectBranches(context, 'good')
  const finished = (await playToSuccess(context, onePerType(branches))).slice(0, 1)
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

/** The same body is accepted afterwards, so the token was the reason. */
async function checkOtherUrls(
  context: CheckContext,
  finished: PaymentToNotify,
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

/** Returns no URLs if there is no token to change. */
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

/** Returns true for at least 128 random bits. Lower-case words are names. */
function isToken(segment: string): boolean {
  return /^[0-9a-f-]{32,}$/i.test(segment) || (/^[\w-]{22,}$/.test(segment) && /[0-9A-Z]/.test(segment))
}
