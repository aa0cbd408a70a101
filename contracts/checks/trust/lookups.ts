import { combineFindings, failed, notObservable, unreachable, type Finding } from '../../finding.ts'
import { selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { describeExchange, isAccepted, isReached } from '../../toolkit/expectations.ts'
import { playToSuccess } from '../../toolkit/expected-effect.ts'
import { replaceLinks } from '../../toolkit/messages.ts'
import { checkOutcome } from '../../toolkit/payment-outcome.ts'
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
      'A callback is not signed, and a webhook is signed only if you have set a secret. Anyone who learns the URL can claim that a payment has succeeded. No sender can forge the response of the service itself.',
    remedy:
      'Take only the type and the id from the notification, fetch the object with your own token, and act on the response.',
    run: checkCallsBack,
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
      'The notification says only that the status changed, but not the new status. A receiver that assumes "active" hands out account numbers that take no money.',
    remedy:
      'Fetch the virtual account by its id and read its status. Act on active, and report activation_failed.',
    run: checkVirtualAccounts,
  },
]

async function checkCallsBack(context: CheckContext): Promise<Finding> {
  const messages: Message[] = []
  for (const type of context.receiver.types())
    messages.push(context.messageFor(await context.service.create(type)))
  if (messages.length === 0) return notObservable('It has no URL')
  return combineFindings(await Promise.all(messages.map((message) => expectCall(context, message))))
}

async function expectCall(context: CheckContext, message: Message): Promise<Finding | undefined> {
  const sent = await context.send(message)
  if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
  const calls = await context.calls.settle(message)
  if (calls.length > 0) return undefined
  return failed(
    `a call for ${message.type} ${message.id}`,
    `no call for it, although ${describeExchange(sent)}`,
    { exchanges: [sent] },
  )
}

async function checkVirtualAccounts(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'all', ['virtual-account-activation'])
  // Sends twice, because a repetition must not help.
  const scenarios = branches.map((branch) => ({ branch, sequence: oneByOne(0, 0) }))
  const parts = await Promise.all(
    (await playScenarios(context, scenarios)).map((each) => expectFetch(context, each)),
  )
  return combineFindings(parts, unobserved)
}

async function expectFetch(context: CheckContext, each: PlayedScenario): Promise<Finding | undefined> {
  const wrong = await checkOutcome(context, each)
  const target = each.play.messages.find(({ type }) => type === 'virtual_accounts')
  if (wrong || !target) return wrong
  const calls = await context.calls.settle(target)
  if (calls.length > 0) return undefined
  return failed(
    `a call for virtual_accounts ${target.id}, which became ${each.branch.outcome}`,
    'no call for it',
    { exchanges: each.sent, objects: [target] },
  )
}

export const hostileLinksCheck: ReceiverCheck = {
  id: 'trust/hostile-links',
  severity: 'must',
  requirement: 'The receiver does not follow a link in a notification to another host than the service.',
  lines: [55, 324],
  negative: true,
  meaning:
    'A receiver that follows any link calls the host that a forger chooses, with the access token of the service in the request. The forger can then move money.',
  remedy:
    'Build the address yourself, from the configured base, the type and the encoded id. Do not use links.',
  run: checkHostileLinks,
}

/** Forms of links that lead away from the service. `authority` is a host with its port. */
const LINK_FORMS: readonly ((authority: string, path: string) => string)[] = [
  (authority, path) => `http://${authority}${path}`,
  (authority, path) => `//${authority}${path}`,
  // After a base URL without a slash, the base becomes the user name.
  (authority, path) => `@${authority}${path}`,
]

interface LinkedMessage {
  readonly message: Message
  readonly canary: Canary
}

async function checkHostileLinks(context: CheckContext): Promise<Finding> {
  const messages: LinkedMessage[] = []
  for (const message of await makeMessages(context)) {
    for (const makeLink of LINK_FORMS) {
      const canary = await context.canary()
      const { host, pathname } = new URL(canary.url)
      const link = makeLink(host, pathname)
      // Removes the port of the canary, which changes with each run.
      const label = `${message.label}, links that lead to ${makeLink('canary', '/')}`
      messages.push({ message: { ...replaceLinks(message, link), label }, canary })
    }
  }
  if (messages.length === 0) return notObservable('It has no URL for a type with links')
  return combineFindings(await Promise.all(messages.map((linked) => checkLink(context, linked))))
}

const LINKED = ['items', 'users', 'accounts', 'disbursements'] as const

async function makeMessages(context: CheckContext): Promise<readonly Message[]> {
  const messages: Message[] = []
  for (const type of LINKED) {
    if (context.receiver.types().includes(type))
      messages.push(context.messageFor(await context.service.create(type)))
  }
  const { branches } = selectBranches(context, 'good', ['npp-payin', 'virtual-account-activation'])
  for (const { message } of await playToSuccess(context, branches)) messages.push(message)
  return messages
}

/** Waits as long as a call may take, plus a window. */
async function checkLink(
  context: CheckContext,
  { message, canary }: LinkedMessage,
): Promise<Finding | undefined> {
  const sent = await context.send(message)
  if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
  if (isAccepted(sent) && canary.hits().length === 0) await context.rest()
  const [hit] = canary.hits()
  if (!hit) return undefined
  const credentials =
    hit.authorization === undefined ? 'without credentials' : 'with its credentials for the service'
  return failed(
    'no call to another host',
    `after ${message.label} it called the other host, ${credentials}`,
    {
      exchanges: [sent],
    },
  )
}
