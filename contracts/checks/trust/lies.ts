import {
  combineFindings,
  failed,
  notObservable,
  passedExcept,
  type Exchange,
  type Finding,
  type ObjectRef,
} from '../../finding.ts'
import { readParties, toTexts, type Parties } from '../../toolkit/booked-effect.ts'
import { selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { describeEffects, expectEffects, isAccepted, requireReached } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import {
  editMessage,
  forgeState,
  isJsonObject,
  readObject,
  toJsonObject,
  withMoney,
} from '../../toolkit/messages.ts'
import { checkBeforeSuccess, checkEffects, requireEffects } from '../../toolkit/payment-outcome.ts'
import type { EffectState } from '../../toolkit/ports.ts'
import { lastAboutConsequence, type PlayedScenario } from '../../toolkit/scenario.ts'
import { formatMoney } from '../../../spec/money.ts'

export const lieChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/lying-body',
    severity: 'must',
    requirement:
      'The receiver acts on the state, the amount and the currency that the service shows, not on the values in the notification.',
    lines: [283],
    readings: ['show-operations'],
    needs: ['effects'],
    negative: true,
    meaning:
      'Anyone who learns the URL can post "successful" for their own pending payment, or ten times its amount. Your platform then gives this person goods or money.',
    remedy: 'Act only on the fetched object. Take only the type and the id from the notification.',
    takesLong: true,
    async run(context) {
      const branches = selectBranches(context, 'good')
      const states = await checkBeforeSuccess(context, branches, (each) => claimSuccess(context, each))
      const finished = await playToSuccess(context, branches.branches)
      const amounts = await Promise.all(finished.map((each) => claimMoney(context, each)))
      return combineFindings([...states, ...amounts], branches.unobserved)
    },
  },
  {
    id: 'trust/wrong-party',
    severity: 'must',
    requirement:
      'The receiver acts for the user and the account that the service shows, not for the ids in the notification.',
    lines: [283],
    readings: ['show-operations'],
    needs: ['effects'],
    negative: true,
    meaning:
      'Anyone who learns the URL can post a successful payment with their own account in it. The state and the amount look right, but your platform credits the money to the wrong customer.',
    remedy:
      'Take the user and the account from the fetched object, or from your own records of the payment. Take only the type and the id from the notification.',
    run: checkParties,
  },
]

/** Sends a notification that claims success, while the service shows a pending payment. */
async function claimSuccess(context: CheckContext, { branch, play }: PlayedScenario) {
  const target = play.consequence
  const message = lastAboutConsequence(play)
  // Some objects, such as a BPAY deposit, exist only after a payment succeeds.
  if (!target || !message) return undefined
  const { state = branch.outcome } = branch.parts[branch.deciding ?? -1] ?? {}
  const sent = await context.send(forgeState(message, state), {
    label: `${target.type} with the false state ${state}`,
  })
  const because = `because the service shows the state ${message.state}, not the state in the notification`
  return requireReached(sent) ?? expectEffects(context, target, { effects: 0, because })
}

/** Sends a false notification of success. If the receiver does not act on this notification, sends the true notification. */
async function sendLie(context: CheckContext, { target, message }: PaymentToNotify, lie: Message) {
  const sent = await context.send(lie)
  const lost = requireReached(sent)
  if (lost) return { sent, lost }
  const isHeard = isAccepted(sent) && (await context.effects.settle(target, 1)).effects > 0
  if (!isHeard) await context.sendUntilAccepted(message)
  return { sent, lost }
}

const TIMES = 10

async function claimMoney(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const { branch, target, message } = payment
  const { amount, currency } = readObject(message)
  if (typeof amount !== 'number') return undefined
  const [more, claimed] = [amount * TIMES, currency === 'USD' ? 'EUR' : 'USD']
  const lie = editMessage(message, (object) => withMoney(object, more, claimed))
  const label = `${message.label} with the false amount ${formatMoney(more, claimed)}`
  const { sent, lost } = await sendLie(context, payment, { ...lie, label })
  const because = `when the notification of ${branch.kind} has a wrong amount`
  const found = lost ?? (await checkEffects(context, payment, because))
  if (found) return found
  const seen = await context.effects.read(target)
  if ((seen.amount ?? amount) !== amount || seen.currency === claimed) {
    const expected = `an effect of ${formatMoney(amount, String(currency))} for ${target.type} ${target.id}, as the service shows it`
    return failed(expected, describeEffects(seen), { exchanges: [sent], objects: [target] })
  }
  return passedExcept(
    seen.amount === undefined ? 'the amounts of the effects' : undefined,
    seen.currency === undefined ? 'the currencies of the effects' : undefined,
  )
}

interface Forger {
  readonly user: string
  readonly account: string
}

async function checkParties(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, branches)
  if (finished.length === 0) return notObservable(unobserved ?? 'the receiver is not notified of any payment')
  const user = await context.service.create('users')
  const account = await context.service.create('accounts')
  const forger = { user: user.id, account: String(readObject(account)['uuid']) }
  const parts = await Promise.all(finished.map((each) => claimParty(context, each, forger)))
  return combineFindings(parts, unobserved)
}

async function claimParty(context: CheckContext, payment: PaymentToNotify, forger: Forger) {
  const { target, message } = payment
  const parties = readParties(message)
  if (parties.users.length + parties.accounts.length === 0)
    return notObservable(`${message.type} name neither a user nor an account`)
  const { sent, lost } = await sendLie(context, payment, nameForger(message, parties, forger))
  const missing = lost ?? (await requireEffects(context, payment))
  return missing ?? judgeParty(await context.effects.read(target), { parties, forger, target, sent })
}

interface Claim {
  readonly parties: Parties
  readonly forger: Forger
  readonly target: ObjectRef
  readonly sent: Exchange
}

function judgeParty(seen: EffectState, { parties, forger, target, sent }: Claim): Finding {
  const { user_id, account_id } = seen
  if (user_id === forger.user || account_id === forger.account) {
    const told = { users: toTexts([user_id]), accounts: toTexts([account_id]) }
    const expected = `an effect of ${target.type} ${target.id} for ${describeParties(parties, ' or ')}, as the service shows it`
    const actual = `${describeEffects(seen)}. The effect was for ${describeParties(told, ' and ')}`
    return failed(expected, actual, { exchanges: [sent], objects: [target] })
  }
  if (user_id === undefined && account_id === undefined)
    return notObservable('the effects show no user and no account. Add user_id and account_id')
  return passedExcept(
    describeUnknown('user_id', user_id, parties.users),
    describeUnknown('account_id', account_id, parties.accounts),
  )
}

function describeParties({ users, accounts }: Parties, joint: string): string {
  return [...users.map((id) => `the user ${id}`), ...accounts.map((id) => `the account ${id}`)].join(joint)
}

/** Describes an id in the effects that cannot be compared. Such an id is missing or unknown to the service. */
function describeUnknown(field: string, told: string | undefined, known: readonly string[]) {
  if (known.length === 0 || (told !== undefined && known.includes(told))) return undefined
  return told === undefined
    ? `the ${field} of the effects`
    : `the ${field} of the effects, which is not an id of the service`
}

function nameForger(message: Message, { users, accounts }: Parties, { user, account }: Forger): Message {
  const forged = new Map([
    ...users.map((id) => [id, user] as const),
    ...accounts.map((id) => [id, account] as const),
  ])
  return {
    ...editMessage(message, (object) => toJsonObject(replaceTexts(object, forged))),
    label: `${message.label} with a false user and account`,
  }
}

function replaceTexts(value: unknown, byText: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return byText.get(value) ?? value
  if (Array.isArray(value)) return value.map((each) => replaceTexts(each, byText))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceTexts(each, byText)]))
}
