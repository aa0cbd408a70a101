import type { Registration } from '../../../../sandbox/engine/state/registration.ts'
import { registrationsAt } from '../reference-model.ts'
import type { Run } from '../run.ts'
import { isAccepted } from '../sent-posts.ts'
import { isLostLater, type Call } from '../world/history.ts'
import { OWN_PORTS } from '../world/incarnation.ts'
import { isTestPost } from '../world/receivers.ts'
import type { Invariant } from './invariant.ts'

const slot = ({ generation, object_type }: Pick<Registration, 'generation' | 'object_type'>) =>
  `${generation}/${object_type}`

export const oneEnabled: Invariant = {
  id: 'I-oneenabled',
  about:
    'at every moment at most one registration of a generation and type is enabled, and only then is another refused',
  check(run) {
    const { model, history } = run
    const twice = model.registrations.flatMap(({ position }) =>
      doubles([...registrationsAt(model, position).values()].filter(({ enabled }) => enabled).map(slot)).map(
        (name) => `two registrations for ${name} are enabled behind entry ${position}`,
      ),
    )
    const listed = history.listings.flatMap(({ list, rows }) =>
      list === 'webhooks' || list === 'callbacks'
        ? doubles(rows.filter(({ enabled }) => enabled).map((row) => String(row.object_type))).map(
            (type) => `the list of ${list} shows two that are enabled for ${type}`,
          )
        : [],
    )
    return [...twice, ...listed, ...refusedWithoutReason(run)]
  },
}

function doubles(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}

/** Refused as the second one, while there was no first one at any time of the call. */
function refusedWithoutReason({ model, history }: Run): readonly string[] {
  return history.calls.flatMap((call) => {
    const { answer, lengthBefore } = call
    const wanted = slotOf(call)
    const text = JSON.stringify(answer?.body ?? null)
    if (!answer || wanted === undefined || !/already (exists|enabled)|is already enabled/i.test(text))
      return []
    if (isLostLater(answer, history)) return []
    const positions = [lengthBefore, ...model.registrations.map(({ position }) => position)].filter(
      (position) => position >= lengthBefore && position <= answer.length,
    )
    const isTaken = positions.some((position) =>
      [...registrationsAt(model, position).values()].some((each) => each.enabled && slot(each) === wanted),
    )
    return isTaken
      ? []
      : [`${call.method} ${call.path} was refused as a second one for ${wanted}, and there was none`]
  })
}

function slotOf({ method, path, body }: Call): string | undefined {
  if (method !== 'POST' || !/^\/(webhooks|callbacks)$/.test(path)) return undefined
  const type: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'object_type') : undefined
  return `${path.slice(1)}/${String(type)}`
}

export const testPost: Invariant = {
  id: 'I-testpost',
  about:
    'nothing is registered at a URL whose test POST was not answered with success just before, and nothing else is sent there',
  check({ model, history }) {
    const tests = history.posts.filter(isTestPost)
    const wrong = tests.flatMap(({ body, url }) => {
      const parsed: unknown = JSON.parse(body)
      const isRight =
        JSON.stringify(Object.keys(Object(parsed))) === '["message"]' &&
        typeof Reflect.get(Object(parsed), 'message') === 'string'
      return isRight ? [] : [`the test POST to ${url} was ${body}`]
    })
    const used = new Map<string, number>()
    const untested = model.registrations.flatMap(({ after, before, tick }) => {
      if (!after || after.url === before?.url) return []
      const accepted = tests.filter(
        (post) => post.url === after.url && isAccepted(post) && (post.endTick ?? tick) < tick,
      )
      const number = (used.get(after.url) ?? 0) + 1
      used.set(after.url, number)
      return accepted.length >= number
        ? []
        : [`${after.url} was registered without a test POST that it accepted`]
    })
    const registeredUrls = new Set(model.registrations.flatMap(({ after }) => after?.url ?? []))
    const strays = history.posts.filter((post) => !isTestPost(post) && !registeredUrls.has(post.url))
    return [
      ...wrong,
      ...untested,
      ...strays.map(({ url }) => `${url} got a notification, and was never registered`),
    ]
  },
}

export const egress: Invariant = {
  id: 'I-egress',
  about: 'every POST goes by HTTPS to an address that the policy allows, and to none of the own ports',
  check: ({ history }) =>
    history.posts.flatMap(({ url }) => {
      const { protocol, hostname, port } = new URL(url)
      const isAllowed = protocol === 'https:' && hostname === 'localhost' && !OWN_PORTS.includes(Number(port))
      return isAllowed ? [] : [`a POST went to ${url}`]
    }),
}
