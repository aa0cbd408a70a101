import { type Job, registrationsAt, type Revision } from '../reference-model.ts'
import type { Run } from '../run.ts'
import { expectedBody, mustNotify, revisionOf } from '../plan.ts'
import { type Answer, lastingListings } from '../world/history.ts'
import type { Invariant } from './invariant.ts'

const name = ({ head }: Revision) => `${head.object_type} "${head.id}" at revision ${head.revision}`

function jobsByRevision({ model }: Run): ReadonlyMap<string, readonly Job[]> {
  return Map.groupBy(model.jobs, ({ head }) => `${head.object_type}/${head.object_id}/${head.revision}`)
}

function notified(revision: Revision, run: Run): readonly string[] {
  const generations = mustNotify(revision, run)
  return [...registrationsAt(run.model, revision.position).values()]
    .filter(
      ({ generation, object_type, enabled }) =>
        enabled && object_type === revision.head.object_type && generations.includes(generation),
    )
    .map(({ id }) => id)
    .toSorted()
}

export const job: Invariant = {
  id: 'I-job',
  about: 'a change has exactly one job for each enabled registration',
  check(run) {
    const byRevision = jobsByRevision(run)
    const known = new Set(run.model.revisions.map(({ key, head }) => `${key}/${head.revision}`))
    const stray = [...byRevision].flatMap(([key]) =>
      known.has(key) ? [] : [`a job is about ${key}, which is not there`],
    )
    return run.model.revisions
      .flatMap((revision) => {
        const has = (byRevision.get(`${revision.key}/${revision.head.revision}`) ?? [])
          .map(({ head }) => head.registration_id)
          .toSorted()
        const expected = notified(revision, run)
        return String(has) === String(expected)
          ? []
          : [`${name(revision)} has jobs for [${String(has)}], not for [${String(expected)}]`]
      })
      .concat(stray)
  },
}

export const atomic: Invariant = {
  id: 'I-atomic',
  about:
    'a change and its jobs survive a crash together or not at all, and every acknowledged change survives',
  check(run) {
    const { revisions } = run.model
    const byRevision = jobsByRevision(run)
    const torn = revisions.flatMap((revision) =>
      (byRevision.get(`${revision.key}/${revision.head.revision}`) ?? []).flatMap((each) =>
        each.tick === revision.tick ? [] : [`${name(revision)} and its job were not written at once`],
      ),
    )
    return [...torn, ...lostFacts(run)]
  },
}

function lostFacts({ model, history }: Run): readonly string[] {
  const byObject = Map.groupBy(model.revisions, ({ key }) => key)
  const isLossy = history.badDisks.length > 0 || history.crashes.some(({ kind }) => kind === 'power-lost')
  return history.calls.flatMap(({ method, path, answer, overlapped }) => {
    // A call that changes nothing can return another call's data that is unsynced, or lost by a failed disk.
    const isUnsafe = overlapped || history.failedSyncs.length > 0
    if (isUnsafe && isLossy && path.endsWith('/next')) return []
    if (!answer || method === 'GET' || answer.status === null || answer.status >= 300) return []
    const { body, tick } = answer
    const what = `${method} ${path} was answered ${answer.status}`
    const [, type = ''] = /^\/(items|users)(\/|$)/.exec(path) ?? []
    const shown = body[type]
    if (shown !== undefined) {
      const kept = byObject
        .get(`${type}/${shown.id}`)
        ?.some((each) => each.tick < tick && each.body === JSON.stringify(shown))
      return kept === true ? [] : [`${what}, and the log has no such ${type} "${shown.id}"`]
    }
    if (path.startsWith('/control/objects/')) {
      const { object_type, id, revision } = body
      const kept = byObject
        .get(`${object_type}/${id}`)
        ?.some((each) => each.tick < tick && each.head.revision === revision)
      return kept === true
        ? []
        : [`${what}, and the log has no revision ${revision} of ${object_type} "${id}"`]
    }
    if (path.startsWith('/control/payments')) {
      const payment = model.payments.get(body.id)
      return payment && payment.step >= body.step ? [] : [`${what}, and the log has not got so far with it`]
    }
    return registrationFact({ method, path, body, tick }, model).map((problem) => `${what}, and ${problem}`)
  })
}

function registrationFact(
  {
    method,
    path,
    body,
    tick,
  }: { readonly method: string; readonly path: string; readonly body: Answer['body']; readonly tick: number },
  { registrations }: Run['model'],
): readonly string[] {
  const [, generation, id] = /^\/(webhooks|callbacks)(?:\/(.+))?$/.exec(path) ?? []
  if (generation === undefined) return []
  const shown = body.callbacks ?? body
  const about = registrations.filter(
    (change) => change.tick < tick && change.id === (id ?? shown.uuid ?? shown.id),
  )
  if (method === 'DELETE')
    return about.some(({ after }) => after === undefined) ? [] : ['the log does not say that it was deleted']
  const isKept = about.some(
    ({ after }) =>
      after &&
      after.url === shown.url &&
      after.enabled === shown.enabled &&
      after.description === shown.description,
  )
  return isKept ? [] : ['the log has no such registration']
}

export const body: Invariant = {
  id: 'I-body',
  about:
    "the body of a job contains the object's revision at the trigger, and every attempt sends exactly these bytes",
  check(run) {
    const { model, history, setup } = run
    const frozen = model.jobs.flatMap((each) => {
      const { object_type, object_id, revision } = each.head
      const source = revisionOf(model, `${object_type}/${object_id}`, revision)
      return source && expectedBody(source) !== each.body
        ? [`job "${each.head.id}" has other bytes than the Show of ${name(source)}`]
        : []
    })
    const shown = lastingListings(history).flatMap(({ list, of, rows, length }) => {
      if (list !== 'shown') return []
      const latest = model.revisions.findLast(({ key, position }) => key === of && position <= length)
      const expected = of.startsWith('virtual_accounts/') ? latest?.body : latest && expectedBody(latest)
      return JSON.stringify(rows[0]) === expected ? [] : [`the Show of ${of} is not what was stored last`]
    })
    return [...frozen, ...shown, ...(setup.readings['retry-body'] === 'current' ? [] : strangeBodies(run))]
  },
}

function strangeBodies({ model, history }: Run): readonly string[] {
  const known = new Set(model.jobs.map((each) => each.body))
  return history.posts.flatMap((post) =>
    post.body.startsWith('{"message":') || known.has(post.body)
      ? []
      : [`${post.url} got bytes that no job has: ${post.body.slice(0, 80)}`],
  )
}
