import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import type { ExchangeRecord } from '../../engine/state/exchange.ts'
import type { AttemptHead, Head } from '../../engine/state/entries.ts'
import type { FaultState, FaultStateOn } from '../../engine/state/fault.ts'
import type { JobView } from '../../engine/state/job-view.ts'
import { objectFilter } from '../../engine/state/job-view.ts'
import type { JobRecord } from '../../engine/state/job.ts'
import type { Registration } from '../../engine/state/registration.ts'
import { CorruptBodyError, readIfWhole } from '../../engine/state/storage-error.ts'
import type { CraftedRecord, StoredObject, View } from '../../engine/state/view.ts'
import { damage } from './storage-errors.ts'
import type { ObjectVersion } from './queries/objects.ts'
import type { WorldTables } from './world-tables.ts'

/** Reads the tables that `tables` returns at the moment. `path` is the file of the store, for errors. */
export function createView(tables: () => WorldTables, path: string): View {
  return {
    ...createJobView(tables),
    ...createObjectView(tables, path),
    ...createPaymentView(tables),
    ...createCraftedView(tables),
    latestAt: () => tables().state.latest_at,
    changedAt: () => tables().state.changed_at,
    chosenSpeed: () => tables().state.speed ?? undefined,
    registration: (id) => tables().settings.registration(id),
    registrations: <Generation extends Registration['generation']>(generation: Generation) =>
      tables()
        .settings.registrations(generation)
        .filter(
          (each): each is Extract<Registration, { readonly generation: Generation }> =>
            each.generation === generation,
        ),
    enabledRegistration: (generation, type) => tables().settings.enabledRegistration(generation, type),
    readings: () => tables().settings.readings(),
    faults: () => tables().faults.list(),
    matchedFaults: (job) =>
      tables()
        .faults.matched(job.id, job.attempts + 1)
        ?.filter((fault): fault is FaultStateOn<'delivery'> => isOnDelivery(fault)),
    secrets() {
      const { settings, history } = tables()
      return settings
        .secrets()
        .map(({ position, set_at }) => ({ secret: history.read(position).body, set_at }))
    },
  }
}

const isOnDelivery = (fault: FaultState) => fault.on === 'delivery'

type ObjectView = Pick<
  View,
  | 'object'
  | 'objectVersion'
  | 'objectIds'
  | 'objectCount'
  | 'objectIdsBetween'
  | 'objectIdsBeginning'
  | 'keptId'
  | 'earlierObject'
  | 'accountId'
  | 'accountOwner'
>

function createObjectView(tables: () => WorldTables, path: string): ObjectView {
  function read<Body>(
    type: NotifiedType,
    version: ObjectVersion | undefined,
  ): StoredObject<Body> | undefined {
    if (!version) return undefined
    const { id, revision, position } = version
    const { head, body } = tables().history.read(position)
    if (head.kind !== 'object' || head.id !== id || head.object_type !== type || head.revision !== revision)
      throw damage(path, `the row of ${type} ${id} is not what was written`)
    return { revision, body: JSON.parse(body) }
  }

  return {
    object: (type, id) => read(type, tables().objects.version(type, id)),
    earlierObject: (type, id, back) => read(type, tables().objects.earlierVersion(type, id, back)),
    objectVersion(type, id) {
      const { objects, epoch } = tables()
      const version = objects.version(type, id)
      return version && epoch * 2 ** 32 + version.position
    },
    objectIds: (type) => tables().objects.ids(type),
    objectCount: (type) => tables().objects.count(type),
    objectIdsBetween: (type, start, end) => tables().objects.idsBetween(type, start, end),
    objectIdsBeginning: (type, start) => tables().objects.idsBeginning(type, start),
    keptId: (type, id) => tables().objects.keptId(type, id),
    accountId: (userId, kind) => tables().objects.newestAccount(userId, kind),
    accountOwner: (account) => tables().objects.accountOwner(account),
  }
}

function createPaymentView(
  tables: () => WorldTables,
): Pick<
  View,
  | 'payment'
  | 'paymentAt'
  | 'paymentCount'
  | 'paymentsBetween'
  | 'duePayments'
  | 'paymentIdsBeginning'
  | 'paymentOf'
  | 'paymentsOf'
  | 'paymentOrdinal'
  | 'nextOutcome'
  | 'nextOutcomes'
> {
  return {
    payment: (id) => tables().payments.find(id),
    paymentAt: (ordinal) => tables().payments.at(ordinal),
    paymentCount: () => tables().payments.count(),
    paymentsBetween: (start, end) => tables().payments.between(start, end),
    duePayments: () => tables().payments.due(),
    paymentIdsBeginning: (start) => tables().payments.idsBeginning(start),
    paymentOf: (objectType, id) => tables().payments.firstOf(objectType, id),
    paymentsOf: (objectType, id) => tables().payments.of(objectType, id),
    paymentOrdinal: (id) => tables().payments.ordinalOf(id),
    nextOutcome: (kind) => tables().payments.nextOutcome(kind),
    nextOutcomes: () => tables().payments.nextOutcomes(),
  }
}

function createCraftedView(
  tables: () => WorldTables,
): Pick<View, 'craftedCount' | 'craftedBetween' | 'crafted'> {
  function read(position: number): CraftedRecord {
    const { head, body } = tables().history.read(position)
    return { at: head.at, crafted: JSON.parse(body) }
  }
  return {
    craftedCount: () => tables().crafted.count(),
    craftedBetween: (start, end) =>
      tables()
        .crafted.positionsBetween(start, end)
        .flatMap((position) => readIfWhole(() => read(position)) ?? []),
    crafted(id) {
      const position = tables().crafted.position(id)
      return position === undefined ? undefined : read(position)
    },
  }
}

function createJobView(tables: () => WorldTables): JobView {
  const body = (job: JobRecord) => tables().history.read(job.position).body
  const keptId = (type: NotifiedType, id: string) => tables().objects.keptId(type, id)
  return {
    ...createAttemptView(tables),
    job: (id) => tables().jobs.find(id),
    jobAt: (ordinal) => tables().jobs.at(ordinal),
    jobCount: () => tables().jobs.length(),
    jobPage({ object_id, ...filter }, part) {
      const { jobPages } = tables()
      if (object_id === undefined) return jobPages.page(filter, part)
      const ids = [object_id, ...notifiedTypes.flatMap((type) => keptId(type, object_id) ?? [])]
      const isAbout = objectFilter(object_id, { keptId })
      const found = jobPages.ofObject(ids).filter((job) => isAbout(job) && agrees(job, filter))
      return pageAmong(found, part)
    },
    jobs: (registration_id) =>
      tables().jobPages.page({ registration_id }, { limit: Number.MAX_SAFE_INTEGER, offset: 0 }).jobs,
    dueJobs: (until = Number.MAX_VALUE, limit = -1) => tables().jobs.due(until, limit),
    begunJobs: () => tables().jobs.begun(),
    jobIdsBeginning: (start) => tables().jobs.idsBeginning(start),
    jobBody: body,
    jobBodyIfWhole: (job) => readIfWhole(() => body(job)),
  }
}

function agrees(job: JobRecord, filter: Parameters<JobView['jobPage']>[0]): boolean {
  const keys = ['registration_id', 'status', 'generation', 'object_type'] as const
  return keys.every((key) => filter[key] === undefined || filter[key] === job[key])
}

/** An object has few jobs. */
function pageAmong(
  jobs: readonly JobRecord[],
  { limit, offset, ordinal }: Parameters<JobView['jobPage']>[1],
): ReturnType<JobView['jobPage']> {
  const total = jobs.length
  const before =
    ordinal === undefined
      ? (offset ?? Math.max(0, total - limit))
      : jobs.filter((job) => job.ordinal < ordinal).length
  const page = jobs.slice(before, before + limit)
  return { jobs: page, total, before, next: jobs[before + limit]?.ordinal }
}

function createAttemptView(
  tables: () => WorldTables,
): Pick<JobView, 'attempts' | 'attemptHeads' | 'attemptStart'> {
  /** How an attempt ended is known even if its exchange is damaged; undefined if nothing is known. */
  function read(position: number): { readonly head: Head; readonly body: string } | undefined {
    return readIfWhole(() => {
      try {
        return tables().history.read(position)
      } catch (error) {
        if (error instanceof CorruptBodyError) return { head: error.head, body: LOST_EXCHANGE }
        throw error
      }
    })
  }

  return {
    attempts: (job) =>
      tables()
        .jobs.attemptPositions(job)
        .flatMap((position) => {
          const { head, body = LOST_EXCHANGE } = read(position) ?? {}
          if (head?.kind !== 'attempt') return []
          const exchange: ExchangeRecord = JSON.parse(body)
          return [{ head, exchange }]
        }),
    attemptHeads: (job) =>
      tables()
        .jobs.attemptPositions(job)
        .flatMap((position): readonly AttemptHead[] => {
          const head = readIfWhole(() => tables().history.readHead(position))
          return head?.kind === 'attempt' ? [head] : []
        }),
    attemptStart(job) {
      if (job.begun === null) return undefined
      const { head, body = LOST_EXCHANGE } = read(job.begun) ?? {}
      return head?.kind === 'attempt-start' ? { head, exchange: body } : undefined
    },
  }
}

const LOST_EXCHANGE = JSON.stringify({
  request_headers: [],
  request_body: '',
  response: null,
} satisfies ExchangeRecord)
