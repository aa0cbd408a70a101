import type { Canary } from '../../toolkit/canary.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches } from '../../toolkit/branches.ts'
import { combineFindings, failed, notObservable, unreachable, type Finding } from '../../finding.ts'
import { describeExchange, isAccepted, isReached } from '../../toolkit/expectations.ts'
import { playToSuccess } from '../../toolkit/expected-effect.ts'
import { replaceLinks } from '../../toolkit/messages.ts'

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

/** Ways to lead elsewhere than to the service; `authority` is a host with its port. */
const LINK_FORMS: readonly ((authority: string, path: string) => string)[] = [
  (authority, path) => `http://${authority}${path}`,
  (authority, path) => `//${authority}${path}`,
  // Behind a base that does not end with a slash, the base becomes a user's name.
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
      // Only the port of the canary is another one in each run.
      const label = `${message.label}, links that lead to ${makeLink('canary', '/')}`
      messages.push({ message: { ...replaceLinks(message, link), label }, canary })
    }
  }
  if (messages.length === 0) return notObservable('It has no URL for a type with links')
  return combineFindings(await Promise.all(messages.map((linked) => checkLink(context, linked))))
}

const LINKED = ['items', 'users', 'accounts', 'disbursements'] as const

/** Of objects that the service shows. */
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

/** A receiver that works later is given the time that a call may take, and a window after it. */
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
