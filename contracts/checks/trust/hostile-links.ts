import { withLinks } from '../../toolkit/altered.ts'
import type { CheckContext, Canary, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { lastPlayed } from '../finished.ts'
import { branchesOf } from '../../toolkit/branches.ts'
import { failed, notObservable, unreachable, type Finding } from '../../finding.ts'
import { isAccepted, isReached, told } from '../../toolkit/judge.ts'
import { summed } from '../../toolkit/summed.ts'

export const hostileLinksCheck: ReceiverCheck = {
  id: 'trust/hostile-links',
  severity: 'must',
  requirement: 'The receiver follows no link of a notification to another host than the service.',
  lines: [55, 324],
  negative: true,
  meaning:
    'Who follows a link as it stands calls whatever host a forger writes into it, with the access token of the service in the request: then the forger can move money.',
  remedy:
    'Build the address yourself, from the configured base, the type and the encoded id; do not use links at all.',
  run: hostileLinks,
}

/** Ways to lead elsewhere than to the service; `authority` is a host with its port. */
const LEADS: readonly ((authority: string, path: string) => string)[] = [
  (authority, path) => `http://${authority}${path}`,
  (authority, path) => `//${authority}${path}`,
  // Behind a base that does not end with a slash, the base becomes a user's name.
  (authority, path) => `@${authority}${path}`,
]

interface Lure {
  readonly notice: Notice
  readonly canary: Canary
}

async function hostileLinks(context: CheckContext): Promise<Finding> {
  const lures: Lure[] = []
  for (const notice of await linkedNotices(context)) {
    for (const lead of LEADS) {
      const canary = await context.canary()
      const { host, pathname } = new URL(canary.url)
      const link = lead(host, pathname)
      // Only the port of the canary is another one in each run.
      const label = `${notice.label}, links that lead to ${lead('canary', '/')}`
      lures.push({ notice: { ...withLinks(notice, link), label }, canary })
    }
  }
  if (lures.length === 0) return notObservable('It has no URL for a type with links')
  return summed(await Promise.all(lures.map((lure) => lured(context, lure))))
}

const LINKED = ['items', 'users', 'accounts', 'disbursements'] as const

/** Of objects that the service shows. */
async function linkedNotices(context: CheckContext): Promise<readonly Notice[]> {
  const notices: Notice[] = []
  for (const type of LINKED) {
    if (context.receiver.types().includes(type))
      notices.push(context.noticeOf(await context.world.create(type)))
  }
  const { branches } = branchesOf(context, 'good', ['npp-payin', 'virtual-account-activation'])
  for (const { notice } of await lastPlayed(context, branches)) notices.push(notice)
  return notices
}

/** A receiver that works later is given the time that a call may take, and a window after it. */
async function lured(context: CheckContext, { notice, canary }: Lure): Promise<Finding | undefined> {
  const sent = await context.send(notice)
  if (!isReached(sent)) return unreachable(told(sent))
  if (isAccepted(sent) && canary.hits().length === 0) await context.rest()
  const [hit] = canary.hits()
  if (!hit) return undefined
  const credentials =
    hit.authorization === undefined ? 'without credentials' : 'with its credentials for the service'
  return failed('no call to another host', `after ${notice.label} it called the other host, ${credentials}`)
}
