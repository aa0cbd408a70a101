import { combineFindings, notObservable, type Finding, type ObjectRef } from '../../finding.ts'
import { selectBranches, type Branch } from '../../toolkit/branches.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { expectAccepted, expectEffects, requireAccepted } from '../../toolkit/expectations.ts'
import { named } from '../../toolkit/messages.ts'
import { checkEffects, checkScenarios } from '../../toolkit/payment-outcome.ts'
import { ownMessages } from '../../toolkit/scenario.ts'
import { documentedSequence } from '../../toolkit/sequences.ts'
import { itemStatus } from '../../../spec/lifecycles.ts'
import type { PaymentKind } from '../../../spec/payments.ts'

export const changeChecks: readonly ReceiverCheck[] = [
  {
    id: 'idempotency/next-state-soon-after',
    severity: 'must',
    requirement:
      'If an object changes its state again within moments, the receiver does not take the second notification for a duplicate.',
    lines: [222, 223, 226, 230, 233, 236],
    needs: ['effects'],
    meaning:
      'All notifications of a payment have the same id. A receiver that recognises duplicates by the id alone accepts "processing" and ignores "successful". As a result, your platform never releases anything.',
    remedy: 'Recognise a duplicate by object, state and time of the change together, never by the id alone.',
    run: (context) =>
      checkScenarios(context, selectBranches(context, 'all'), (branch) =>
        branch.parts.some(({ isLast }) => !isLast) ? [documentedSequence(branch)] : [],
      ),
  },
  {
    id: 'idempotency/other-field-changed',
    severity: 'must',
    requirement:
      'If another field changes but the state does not, the receiver accepts the notification and does not act again.',
    lines: [38, 39],
    readings: ['delivery-success'],
    needs: ['effects'],
    meaning:
      'The service sends a notification for any change to an item or a user, such as a new description. A receiver that acts on every "paid" notification ships the goods again.',
    remedy: 'Act on the change from one state to another, not on the state that a notification shows.',
    takesLong: true,
    run: checkOtherField,
  },
  {
    id: 'idempotency/same-payer-same-amount',
    severity: 'must',
    requirement: 'If two payments have the same person, account and amount, the receiver acts on both.',
    lines: [63, 70, 73],
    needs: ['effects'],
    meaning:
      'A customer can pay the same amount twice, and both payments count. A receiver that recognises duplicates by person, account or amount takes the second payment but delivers nothing for it.',
    remedy:
      'Recognise a duplicate by the id of the object. Do not put a unique index on an account, a person or an amount.',
    async run(context) {
      const { branches, unobserved } = selectBranches(context, 'good', WALLET_PAYINS)
      const parts = await Promise.all(branches.map((branch) => payTwice(context, branch)))
      return combineFindings(parts.flat(), unobserved)
    },
  },
]

/** An object whose state stays the same while another field changes. */
interface KeptRecord {
  readonly type: 'items' | 'users'
  readonly fields: object
  readonly change: object
  readonly state: string
}

const USER: KeptRecord = {
  type: 'users',
  fields: { verification_state: 'approved' },
  change: { mobile: '+61400000001' },
  state: 'approved',
}

function itemIn(state: string): KeptRecord {
  const fields = { state, status: itemStatus(state) }
  return { type: 'items', fields, change: { description: 'Another description' }, state }
}

/** Returns the item states that mean paid: two fixed states, and the states with a configured effect. Reading: item-states */
function paidStates({ profile: { consequences } }: CheckContext): ReadonlySet<string> {
  const configured = Object.values(consequences).filter((each) => each?.object_type === 'items')
  return new Set(['payment_deposited', 'completed', ...configured.flatMap((each) => each?.state ?? [])])
}

async function checkOtherField(context: CheckContext): Promise<Finding> {
  const all = [...[...paidStates(context)].map(itemIn), USER]
  const records = all.filter(({ type }) => context.receiver.types().includes(type))
  if (records.length === 0) return notObservable('the receiver has no URL for items or users')
  const made = await Array.fromAsync(records, ({ type, fields }) => context.service.create(type, fields))
  const sent = await Promise.all(made.map(async (message) => requireAccepted(await context.send(message))))
  await context.rest()
  const parts: (Finding | undefined)[] = []
  for (const [index, record] of records.entries()) {
    const object = made[index]
    if (object) parts.push(sent[index] ?? (await checkChange(context, object, record)))
  }
  return combineFindings(parts, 'the value of the changed field in the receiver')
}

async function checkChange(context: CheckContext, object: Message, { change, state }: KeptRecord) {
  const target: ObjectRef = { type: object.type, id: object.id }
  const { effects } = await context.effects.read(target)
  const after = await context.service.change(object, change)
  const sent = await context.send(named(after, 'with a change in another field'))
  const because = 'as before, because the state of the object has not changed'
  return expectAccepted(sent) ?? expectEffects(context, target, { effects, state, because })
}

const WALLET_PAYINS: readonly PaymentKind[] = ['npp-payin', 'direct-credit-payin', 'bpay-payin']

/** The amount of each of the two payments, in minor units. */
const AMOUNT = 4_200

async function payTwice(context: CheckContext, branch: Branch) {
  const { id: user } = await context.service.create('users', { verification_state: 'approved' })
  const findings: (Finding | undefined)[] = []
  for (const which of ['first', 'second'] as const) {
    const play = await context.service.play(branch.kind, branch.outcome, { amount: AMOUNT, user })
    await play.finish()
    const sent = await Array.fromAsync(ownMessages(branch, play), (message) =>
      context.sendUntilAccepted(message, { label: `${message.label} of the ${which} payment` }),
    )
    const because = `the ${which} of two payments of the same person, account and amount`
    findings.push(expectAccepted(...sent) ?? (await checkEffects(context, { branch, play }, because)))
  }
  return findings
}
