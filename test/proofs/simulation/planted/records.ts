import type { AttemptHead, Entry, Head, Registration } from '../../../../sandbox/engine/state/entries.ts'
import { alterEntries, alterStore, type PlantedBug } from './planted-bug.ts'
import type { HttpRequest, RequestHandler } from '../../../../sandbox/engine/core/http.ts'

const MINUTE_MS = 60_000

function alterHeads<Kind extends Head['kind']>(
  kind: Kind,
  alter: (head: Extract<Head, { readonly kind: Kind }>) => Head | undefined,
) {
  return alterEntries((entry) => {
    if (!isOfKind(entry.head, kind)) return [entry]
    const head = alter(entry.head)
    return head ? [{ ...entry, head }] : []
  })
}

function isOfKind<Kind extends Head['kind']>(
  head: Head,
  kind: Kind,
): head is Extract<Head, { readonly kind: Kind }> {
  return head.kind === kind
}

const alterRetry = (alter: (head: AttemptHead, dueAt: number) => number | null) =>
  alterHeads('attempt', (head) =>
    head.next_due_at === null || head.reason === 'interrupted'
      ? head
      : { ...head, next_due_at: alter(head, head.next_due_at) },
  )

const secondEnabled: PlantedBug = {
  id: 'second-enabled',
  about: 'A second registration for the same object type is enabled.',
  plant: plantSecondEnabled(),
}

export const RECORD_BUGS: readonly PlantedBug[] = [
  {
    id: 'job-dropped',
    about: 'The store writes a change without its job.',
    plant: alterHeads('job', () => undefined),
  },
  {
    id: 'job-apart',
    about: 'A change and its job are stored in two separate writes.',
    plant: alterStore((store) => ({
      async commit(entries, outlived) {
        const isJob = ({ head }: Entry) => head.kind === 'job'
        await store.commit(
          entries.filter((entry) => !isJob(entry)),
          outlived,
        )
        const jobs = entries.filter(isJob)
        if (jobs.length > 0) await store.commit(jobs, outlived)
      },
    })),
  },
  {
    id: 'update-lost',
    about: 'The second change of an object is acknowledged but not written.',
    plant: alterHeads('object', (head) => (head.revision === 2 ? undefined : head)),
  },
  {
    id: 'deletion-lost',
    about: 'A deletion is acknowledged but not written.',
    plant: alterHeads('deletion', () => undefined),
  },
  secondEnabled,
  {
    id: 'acknowledged-before-commit',
    about: 'A call is answered before its change is written.',
    plant: alterStore((store) => ({
      commit(entries, outlived) {
        store.commit(entries, outlived).catch(() => {})
        return Promise.resolve()
      },
    })),
  },
  {
    id: 'acknowledged-before-disk',
    about: 'A call is answered after its change is written, but before the change is synced to the disk.',
    plant: alterStore((store) => ({ commit: (entries) => store.commit(entries, 'process') })),
  },
  {
    id: 'number-twice',
    about: 'The second attempt has the number of the first attempt.',
    plant: alterHeads('attempt', (head) => ({ ...head, number: head.number === 2 ? 1 : head.number })),
  },
  {
    id: 'start-unrecorded',
    about: 'The start of an attempt is not recorded.',
    plant: alterHeads('attempt-start', () => undefined),
  },
  {
    id: 'interruption-counts',
    about: 'An interrupted attempt counts as a step of the retry schedule.',
    plant: alterHeads('attempt', (head) =>
      head.reason === 'interrupted' ? { ...head, reason: 'reset' } : head,
    ),
  },
  {
    id: 'schedule-off-by-one',
    about: 'Each retry is sent at the due time of the next retry.',
    plant: alterRetry((_, dueAt) => dueAt + 20 * MINUTE_MS),
  },
  {
    id: 'schedule-early',
    about: 'A retry is sent a millisecond early.',
    plant: alterRetry((_, dueAt) => dueAt - 1),
  },
  {
    id: 'resend-unmarked',
    about: 'A manual resend counts as a step of the retry schedule.',
    plant: alterHeads('attempt', ({ manual: _, ...head }) => head),
  },
  {
    id: 'body-other-bytes',
    about: 'The body of a job has the same JSON but different bytes.',
    plant: alterEntries((entry) =>
      entry.head.kind === 'job'
        ? [{ ...entry, body: JSON.stringify(JSON.parse(entry.body), null, 1) }]
        : [entry],
    ),
  },
  {
    id: 'record-unbounded',
    about: "The record of an attempt contains the receiver's complete response, without a size limit.",
    plant: alterEntries((entry) =>
      entry.head.kind === 'attempt' ? [{ ...entry, body: entry.body + ' '.repeat(200_000) }] : [entry],
    ),
  },
  {
    id: 'cancelled-at-once',
    about: 'Pending retries end when the registration is disabled, not at their due time.',
    plant: alterEntries((entry, store) => {
      const { head } = entry
      if (head.kind !== 'registration' || head.registration.enabled) return [entry]
      const due = store.jobs(head.registration.id).filter(({ next_due_at }) => next_due_at !== null)
      const cancel = ({ id }: { readonly id: string }) =>
        ({ head: { kind: 'cancellation', at: head.at, job_id: id }, body: '' }) as const
      return [entry, ...due.map(cancel)]
    }),
  },
]

/** Enables a second registration that the sandbox accepted only as disabled. */
function plantSecondEnabled(): PlantedBug['plant'] {
  let isSecond = false
  const enable = (entry: Entry): readonly Entry[] =>
    entry.head.kind === 'registration' && isSecond
      ? [{ ...entry, head: { ...entry.head, registration: writtenAsEnabled(entry.head.registration) } }]
      : [entry]

  async function letIn(handle: RequestHandler, request: HttpRequest) {
    isSecond = true
    const response = await handle({
      ...request,
      readBody: (take) => request.readBody((piece) => take(disable(piece))),
    })
    isSecond = false
    const { body } = response
    return typeof body === 'string'
      ? { ...response, body: body.replace('"enabled":false', '"enabled":true') }
      : response
  }

  return {
    ...alterEntries(enable),
    assembled: (assembled) => ({
      ...assembled,
      async service(request) {
        const response = await assembled.service(request)
        const isRefused = response.status === 409 && request.method === 'POST' && request.path === '/webhooks'
        return isRefused ? letIn(assembled.service, request) : response
      },
    }),
  }
}

function writtenAsEnabled(registration: Registration): Registration {
  return Object.assign({ ...registration }, { toJSON: () => ({ ...registration, enabled: true }) })
}

function disable(piece: Uint8Array): Uint8Array {
  return Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(piece).toString()), enabled: false }))
}
