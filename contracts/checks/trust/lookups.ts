import {
  combineFindings,
  failed,
  notObservable,
  withUnobserved,
  type Exchange,
  type Finding,
  type ObjectRef,
} from '../../finding.ts'
import { selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  describeExchange,
  expectAnswered,
  expectEffects,
  failedExchange,
  isAccepted,
  requireReached,
} from '../../toolkit/expectations.ts'
import { playToSuccess } from '../../toolkit/expected-effect.ts'
import { createMessages } from '../../toolkit/golden-message.ts'
import { named, replaceId, replaceLinks } from '../../toolkit/messages.ts'
import { checkOutcome, checkPayments } from '../../toolkit/payment-outcome.ts'
import type { Canary } from '../../toolkit/ports.ts'
import { playScenarios, type PlayedScenario } from '../../toolkit/scenario.ts'
import { oneByOne } from '../../toolkit/sequences.ts'

export const lookupChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/asks-back',
    severity: 'should',
    requirement: 'The receiver asks the service for the object of each notification, by its id.',
    lines: [283],
    readings: ['show-operations'],
    needs: ['calls'],
    meaning:
      'A callback is not signed, and a webhook is signed only if you have set a secret. Anyone who learns the URL can claim that a payment has succeeded. The sender of a notification cannot forge the response of the service.',
    remedy:
      'Take only the type and the id from the notification, fetch the object with your own token, and act on the response.',
    async run(context) {
      const messages = await createMessages(context)
      if (messages.length === 0) return notObservable('the receiver has no URL')
      return combineFindings(await Promise.all(messages.map((message) => expectCall(context, message))))
    },
  },
  {
    id: 'trust/virtual-account-status',
    severity: 'must',
    requirement:
      'The receiver fetches a virtual account whose status changed, and distinguishes an active account from a failed one.',
    lines: [238, 239, 322, 323, 324],
    readings: ['virtual-account-show'],
    needs: ['calls', 'effects'],
    meaning:
      'The notification says that the status changed, but does not show the new status. A receiver that assumes the status "active" hands out account numbers that cannot receive money.',
    remedy:
      'Fetch the virtual account by its id and read its status. Act on the status active, and report the status activation_failed.',
    async run(context) {
      const { branches, unobserved } = selectBranches(context, 'all', ['virtual-account-activation'])
      // Each notification is delivered twice. The second delivery must not cause another effect.
      const scenarios = branches.map((branch) => ({ branch, sequence: oneByOne(0, 0) }))
      const played = await playScenarios(context, scenarios)
      return combineFindings(await Promise.all(played.map((each) => expectFetch(context, each))), unobserved)
    },
  },
  {
    id: 'trust/fabricated-id',
    severity: 'must',
    requirement: 'The receiver does not act on an object that the service does not know.',
    lines: [283],
    readings: ['object-errors', 'unknown-object'],
    needs: ['effects'],
    negative: true,
    meaning: 'Anyone who knows the URL can invent a payment, and your platform releases goods for nothing.',
    remedy: 'Fetch the object before you act. If the service answers 404, or 401 with code 405, do nothing.',
    run: checkInvented(async (context, target, sent) => {
      const because = 'which the service does not know'
      return requireReached(sent) ?? expectEffects(context, target, { effects: 0, because, isLast: true })
    }),
  },
  {
    id: 'trust/unknown-object',
    severity: 'should',
    requirement: 'The receiver answers 2xx or 4xx to an unknown id, and stops asking for the object.',
    lines: [283],
    readings: ['object-errors', 'unknown-object', 'request-limits'],
    uses: ['calls'],
    negative: true,
    takesLong: true,
    meaning:
      'If the receiver answers with an error, the service retries for hours. Endless calls for the object use up the rate limit that real payments need.',
    remedy:
      'Treat 404, and 401 with code 405, as a final answer of the service. Record the final answer, respond to the notification, and limit the number of calls to the service.',
    run: checkInvented(expectFewCalls, 'the number of calls for the object'),
  },
  {
    id: 'trust/hostile-links',
    severity: 'must',
    requirement:
      'The receiver does not follow a link in a notification if it leads to a host other than the service.',
    lines: [55, 324],
    negative: true,
    meaning:
      'A receiver that follows any link sends its access token to a host that a forger chooses. The forger can then move money.',
    remedy:
      'Build the URL yourself from the configured base URL, the type and the encoded id. Do not use links.',
    run: checkHostileLinks,
  },
]

async function expectCall(context: CheckContext, message: Message): Promise<Finding | undefined> {
  const sent = await context.send(message)
  const lost = requireReached(sent)
  if (lost || (await context.calls.settle(message)).length > 0) return lost
  const actual = `no call for the object, although ${describeExchange(sent)}`
  return failedExchange(`a call for ${message.type} ${message.id}`, sent, actual)
}

async function expectFetch(context: CheckContext, each: PlayedScenario): Promise<Finding | undefined> {
  const wrong = await checkOutcome(context, each)
  const target = each.play.messages.find(({ type }) => type === 'virtual_accounts')
  if (wrong || !target || (await context.calls.settle(target)).length > 0) return wrong
  const expected = `a call for virtual_accounts ${target.id}, which became ${each.branch.outcome}`
  return failed(expected, 'no call for the virtual account', { exchanges: each.sent, objects: [target] })
}

type InventedCheck = (
  context: CheckContext,
  target: ObjectRef,
  sent: Exchange,
) => Promise<Finding | undefined>

/** Returns a check that sends each notification with an id that is unknown to the service. */
function checkInvented(check: InventedCheck, withoutCalls?: string): ReceiverCheck['run'] {
  return async (context) => {
    const finding = await checkPayments(context, async ({ message }) => {
      const invented = named(replaceId(message, context.service.newId()), 'made up')
      const { type, id } = invented
      return check(context, { type, id }, await context.send(invented))
    })
    return withUnobserved(finding, context.calls.observable ? undefined : withoutCalls)
  }
}

const MAX_CALLS = 10

async function expectFewCalls(context: CheckContext, target: ObjectRef, sent: Exchange) {
  const fault = expectAnswered(sent)
  if (fault || !context.calls.observable) return fault
  const calls = await context.calls.outlast(target, MAX_CALLS)
  if (calls.length <= MAX_CALLS) return undefined
  const expected = `at most ${MAX_CALLS} calls for ${target.type} ${target.id}`
  return failed(expected, `${calls.length} calls for the object`, { exchanges: [sent], objects: [target] })
}

/** The forms of a link to another host. `authority` is the host with its port. */
const LINK_FORMS: readonly ((authority: string, path: string) => string)[] = [
  (authority, path) => `http://${authority}${path}`,
  (authority, path) => `//${authority}${path}`,
  // If a text with a leading `@` follows a base URL without a trailing slash, the host of the URL becomes a user name.
  (authority, path) => `@${authority}${path}`,
]

const LINKED = ['items', 'users', 'accounts', 'disbursements'] as const

async function checkHostileLinks(context: CheckContext): Promise<Finding> {
  const records = await createMessages(context, LINKED)
  const { branches } = selectBranches(context, 'good', ['npp-payin', 'virtual-account-activation'])
  const payments = (await playToSuccess(context, branches)).map(({ message }) => message)
  const parts: Promise<Finding | undefined>[] = []
  for (const message of [...records, ...payments]) {
    for (const makeLink of LINK_FORMS) {
      const canary = await context.canary()
      const { host, pathname } = new URL(canary.url)
      const linked = replaceLinks(message, makeLink(host, pathname))
      // Omits the canary's port from the label, because the port changes with each run.
      parts.push(checkLink(context, named(linked, `links that lead to ${makeLink('canary', '/')}`), canary))
    }
  }
  if (parts.length === 0) return notObservable('the receiver has no URL for a type with "links"')
  return combineFindings(await Promise.all(parts))
}

async function checkLink(context: CheckContext, message: Message, canary: Canary) {
  const sent = await context.send(message)
  const lost = requireReached(sent)
  if (isAccepted(sent) && canary.hits().length === 0) await context.rest()
  const [hit] = canary.hits()
  if (lost || !hit) return lost
  const credentials =
    hit.authorization === undefined ? 'without credentials' : 'with its credentials for the service'
  const actual = `after ${message.label}, the receiver called the other host, ${credentials}`
  return failedExchange('no call to another host', sent, actual)
}
