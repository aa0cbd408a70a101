import {
  policy as carefulPolicy,
  type IncomingRequest,
  type ObjectEntries,
} from '../../../contracts/reference-receiver/starter/receiver.mjs'
import {
  findObject,
  isNotifiedType,
  isRecord,
  objectPath,
  readField,
  readId,
  type ShowResult,
} from '../../../contracts/reference-receiver/starter/service.mjs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Components } from '../receiver.ts'
import {
  alsoActing,
  answeringWith,
  interpreting,
  objectInEntry,
  parseBody,
  retryingAfter,
  textOf,
  withPolicy,
  type Defect,
} from './defect.ts'

/** The duration of the receiver's work in milliseconds. A sender with a short timeout gives up before the work is done. */
const AT_WORK_MS = 4_000
const EAGER_MS = 20

export const trustDefects: readonly Defect[] = [
  {
    name: 'takes-a-changed-status-for-active',
    about: 'It treats any status change of a virtual account as an activation.',
    check: 'trust/virtual-account-status',
    alsoFails: { order: 'any-sequence documented-order failure-branches interleaved-payments' },
    parts: () => alsoActing(({ type }) => type === 'virtual_accounts'),
  },
  {
    name: 'joins-paths',
    about: 'It inserts ids into paths without encoding.',
    check: 'trust/hostile-ids',
    parts: () => withPolicy({ objectPath: ([{ type, id }]) => `/${type}/${id}` }),
  },
  {
    name: 'follows-links',
    about: 'It follows links in the body of a notification.',
    check: 'trust/hostile-links',
    alsoFails: { trust: 'hostile-ids' },
    parts: () => ({ service: followingLinks, ...withPolicy({ objectPath: linkIn }) }),
  },
  {
    name: 'works-before-it-answers',
    about: 'It asks the service before it answers the notification.',
    check: 'trust/slow-show',
    parts() {
      const shows = new Map<string, PromiseWithResolvers<ShowResult>>()
      const showOf = (path: string) => shows.get(path) ?? Promise.withResolvers<ShowResult>()
      return {
        service: (service) => ({
          async show(path) {
            const shown = await service.show(path)
            showOf(path).resolve(shown)
            shows.delete(path)
            return shown
          },
        }),
        endpoint: (endpoint) => async (request) => {
          const path = pathIn(request)
          const show = showOf(path)
          shows.set(path, show)
          const answer = await endpoint(request)
          if (answer.status !== 204 || path === '') return answer
          const shown = await Promise.race([show.promise, pause(AT_WORK_MS)])
          if (shown?.kind === 'unavailable') await pause(AT_WORK_MS)
          return answer
        },
      }
    },
  },
  {
    name: 'forgets-what-failed',
    about: 'It asks the service once, and drops the notification if the service fails.',
    check: 'trust/failing-show',
    alsoFails: { trust: 'failing-for-a-while expired-token-and-rate-limit' },
    parts: () => retryingAfter(undefined, ({ kind }) => kind === 'unavailable'),
  },
  {
    name: 'has-the-token-for-decoration',
    about: 'It accepts a notification at any URL with its type.',
    check: 'trust/other-url-token',
    parts: () => ({
      endpoint:
        (endpoint, { token }) =>
        (request) => {
          const [root, folder, type] = request.path.split('/')
          return endpoint({ ...request, path: [root, folder, type, token].join('/') })
        },
    }),
  },
  {
    name: 'never-stops-asking',
    about: 'It asks for an unknown object without end.',
    check: 'trust/unknown-object',
    alsoFails: { registration: 'test-post-without-effect' },
    parts: () => retryingAfter(EAGER_MS, ({ kind }) => kind === 'missing'),
  },
  {
    name: 'takes-unknown-for-expired',
    about: 'It gets a new token and asks again after every 401.',
    check: 'trust/unknown-object',
    alsoFails: { registration: 'test-post-without-effect' },
    readings: { 'unknown-object': 'not-authorized' },
    parts: () => ({
      service: (service) => ({
        async show(path) {
          const shown = await service.show(path)
          return shown.kind === 'missing' ? { kind: 'unavailable', status: 401, retryAfterMs: 0 } : shown
        },
      }),
      ...retryingAfter(EAGER_MS, (shown) => shown.kind === 'unavailable' && shown.status === 401),
    }),
  },
  {
    name: 'keeps-its-first-token',
    about: 'It keeps an expired token, and gives up on a rate limit.',
    check: 'trust/expired-token-and-rate-limit',
    parts: () => ({
      tokens: (tokens) => ({ ...tokens, forget: () => {} }),
      ...retryingAfter(
        undefined,
        (shown) => shown.kind === 'unavailable' && [401, 403, 429].includes(shown.status ?? 0),
      ),
    }),
  },
  {
    name: 'tells-what-went-wrong',
    about: 'It answers a bad request with the error and its stack.',
    check: 'trust/no-leaks-in-errors',
    parts: () => ({
      endpoint: (endpoint) => async (request) => {
        const answer = await endpoint(request)
        if (answer.status < 400) return answer
        return { ...answer, body: new Error(`answered ${answer.status}`).stack ?? '' }
      },
    }),
  },
  {
    name: 'builds-statements-of-text',
    about: 'It builds SQL statements from text, so that an apostrophe breaks them.',
    check: 'trust/injection-text',
    parts: () => answeringWith(500, (request) => /'\s*(or|;|--|\))/i.test(textOf(request))),
  },
  {
    name: 'merges-bodies',
    about: 'It merges bodies into the prototype of its lookup table.',
    check: 'trust/prototype-keys',
    parts() {
      const inherited = {}
      const done: object = Object.create(inherited)
      return interpreting((meaning, body) => {
        Object.assign(inherited, isRecord(body) && readField(body, '__proto__'))
        // The operator `in` also finds inherited keys.
        return meaning.kind === 'notification' && meaning.id in done ? { kind: 'test' } : meaning
      })
    },
  },
]

const followingLinks: Components['service'] = (service) => ({
  async show(path) {
    if (path.startsWith('/') && !path.startsWith('//')) return service.show(path)
    try {
      const answer = await fetch(path.startsWith('//') ? `http:${path}` : path, {
        headers: { authorization: 'Bearer x' },
      })
      return { kind: 'shown', body: await answer.json() }
    } catch {
      return { kind: 'missing' }
    }
  },
})

function linkIn(entries: ObjectEntries): string | undefined {
  const { links, link = isRecord(links) ? readField(links, 'self') : undefined } = objectInEntry(entries[0])
  return typeof link === 'string' ? link : carefulPolicy.objectPath(entries)
}

/** Returns the path of the object in a request. Empty if the request contains no object. */
function pathIn(request: IncomingRequest): string {
  const type = request.path.split('/')[2] ?? ''
  if (!isNotifiedType(type)) return ''
  const id = readId(findObject(parseBody(request), type))
  return (id === undefined ? undefined : objectPath(type, id)) ?? ''
}
