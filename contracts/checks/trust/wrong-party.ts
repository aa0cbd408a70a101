import {
  combineFindings,
  failed,
  notObservable,
  passedExcept,
  unreachable,
  type Exchange,
  type Finding,
} from '../../finding.ts'
import { readParties, toTexts, type Parties } from '../../toolkit/booked-effect.ts'
import { selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { describeEffects, describeExchange, isAccepted, isReached } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { editMessage, isJsonObject, toJsonObject } from '../../toolkit/messages.ts'
import { requireEffects } from '../../toolkit/payment-outcome.ts'
import type { EffectState } from '../../toolkit/ports.ts'

export const wrongPartyCheck: ReceiverCheck = {
  id: 'trust/wrong-party',
  severity: 'must',
  requirement:
    'The receiver acts for the user and on the account that the service shows, not for the values in the notification.',
  lines: [283],
  readings: ['show-operations'],
  needs: ['effects'],
  negative: true,
  meaning:
    'Anyone who learns the URL can post a payment that truly succeeded, with their own account in it. The money of one customer is credited to another, although the state and the amount look right.',
  remedy:
    'Take the party to credit from the fetched object, or from your own records of the payment. Take only the type and the id from the notification.',
  run: checkParties,
}

/** Existing users, so that a lookup finds them. */
interface Forger {
  readonly user: string
  readonly account: string
}

async function checkParties(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, branches)
  if (finished.length === 0) return notObservable(unobserved ?? 'It is notified of no payment')
  const user = await context.service.create('users')
  const account = await context.service.create('accounts')
  const forger = { user: user.id, account: account.body.uuid }
  const parts = await Promise.all(finished.map((each) => claimParty(context, each, forger)))
  return combineFindings(parts, unobserved)
}

async function claimParty(
  context: CheckContext,
  finished: PaymentToNotify,
  forger: Forger,
): Promise<Finding | undefined> {
  const { target, message } = finished
  const parties = readParties(message)
  if (parties.users.length + parties.accounts.length === 0)
    return notObservable(`${message.type} name neither a user nor an account`)
  const sent = await context.send(nameForger(message, parties, forger))
  if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
  // A receiver that rejected the lie gets the true message.
  const isHeard = isAccepted(sent) && (await context.effects.settle(target, 1)).effects > 0
  if (!isHeard) await context.sendUntilAccepted(message)
  const missing = await requireEffects(context, finished)
  if (missing) return missing
  return judgeParty(await context.effects.read(target), { parties, forger, finished, sent })
}

interface Claim {
  readonly parties: Parties
  readonly forger: Forger
  readonly finished: PaymentToNotify
  readonly sent: Exchange
}

function judgeParty(seen: EffectState, { parties, forger, finished, sent }: Claim): Finding {
  const { user_id, account_id } = seen
  const { target } = finished
  if (user_id === forger.user || account_id === forger.account) {
    const told = { users: toTexts([user_id]), accounts: toTexts([account_id]) }
    const expected = `an effect for ${describeParties(parties, ' or ')}, whatever the notification says of ${target.type} ${target.id}`
    const actual = `${describeEffects(seen)}; it was for ${describeParties(told, ' and ')}`
    return failed(expected, actual, { exchanges: [sent], objects: [target] })
  }
  if (user_id === undefined && account_id === undefined)
    return notObservable('The user and the account of its effects are unknown: show user_id and account_id')
  return passedExcept(
    describeUnknown('user_id', user_id, parties.users),
    describeUnknown('account_id', account_id, parties.accounts),
  )
}

function describeParties({ users, accounts }: Parties, joint: string): string {
  return [...users.map((id) => `the user ${id}`), ...accounts.map((id) => `the account ${id}`)].join(joint)
}

/** Names the ids that cannot be compared, because they are missing or private. */
function describeUnknown(
  field: string,
  told: string | undefined,
  known: readonly string[],
): string | undefined {
  if (known.length === 0 || (told !== undefined && known.includes(told))) return undefined
  return told === undefined
    ? `its effects tell no ${field}`
    : `its effects tell another ${field} than the service names`
}

/** Names the forger instead of every party. */
function nameForger(message: Message, { users, accounts }: Parties, { user, account }: Forger): Message {
  const forged = new Map([
    ...users.map((id) => [id, user] as const),
    ...accounts.map((id) => [id, account] as const),
  ])
  return {
    ...editMessage(message, (object) => toJsonObject(replaceTexts(object, forged))),
    label: `${message.label} for another user and account, a lie`,
  }
}

function replaceTexts(value: unknown, byText: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return byText.get(value) ?? value
  if (Array.isArray(value)) return value.map((each) => replaceTexts(each, byText))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceTexts(each, byText)]))
}
