import type { Generation } from '../../../spec/delivery.ts'
import type { Column } from '../core/column.ts'
import { createInterned } from '../core/interned.ts'
import { createLabelIndex } from '../core/label-index.ts'
import type { IndexData } from './index-data.ts'
import type { JobStatus, JobType } from './job.ts'

/** Which jobs; all if nothing is said. */
export interface JobFilter {
  readonly registration_id?: string | undefined
  readonly status?: JobStatus | undefined
  readonly generation?: Generation | undefined
  readonly object_type?: string | undefined
}

/** What a job is listed by, with its status. */
interface JobClass {
  readonly generation: Generation
  readonly object_type: JobType
}

/** Jobs in their order, of which any part can be had without a walk through the others. */
export interface JobSelection {
  readonly total: number
  /** How many of them have a lower ordinal. */
  countBefore(ordinal: number): number
  /** The ordinals of at most `limit` of them, without the first `skip`. */
  ordinals(skip: number, limit: number): readonly number[]
}

/** All jobs, and those of each registration, with what each is listed by. */
export interface JobLists {
  /** Adds the next job. */
  add(registrationId: string, jobClass: JobClass): void
  statusOf(ordinal: number): JobStatus
  setStatus(ordinal: number, registrationId: string, status: JobStatus): void
  select(filter: JobFilter): JobSelection
}

const STATUSES: readonly JobStatus[] = ['pending', 'success', 'failed']

/** A job's label is the number of its class, times three, and that of its status. */
export function createJobLists(data: IndexData): JobLists {
  const classes = createInterned(data.list<JobClass>('jobs/classes'), (each) => Object.values(each).join('/'))
  const all = createLabelIndex(data.column('jobs/labels', 'u8'))
  const listById = new Map<string, RegistrationList>()
  const registrationIds = data.list<string>('jobs/registrations')
  registrationIds.forEach((id, number) => listById.set(id, createRegistrationList(data, number)))

  function listOf(id: string): RegistrationList {
    const known = listById.get(id)
    if (known) return known
    const list = createRegistrationList(data, registrationIds.push(id) - 1)
    listById.set(id, list)
    return list
  }

  function labelsOf({ status, generation, object_type }: JobFilter): readonly number[] {
    return classes.values.flatMap((each, number) =>
      (generation === undefined || each.generation === generation) &&
      (object_type === undefined || each.object_type === object_type)
        ? STATUSES.flatMap((one, index) =>
            status === undefined || one === status ? [3 * number + index] : [],
          )
        : [],
    )
  }

  return {
    add(registrationId, jobClass) {
      const label = 3 * classes.numberOf(jobClass)
      listOf(registrationId).add(all.length, label)
      all.push(label)
    },
    statusOf: (ordinal) => STATUSES[all.get(ordinal) % 3] ?? 'pending',
    setStatus(ordinal, registrationId, status) {
      const before = all.get(ordinal)
      const label = before - (before % 3) + STATUSES.indexOf(status)
      all.set(ordinal, label)
      listOf(registrationId).setLabel(ordinal, label)
    },
    select(filter) {
      const wanted = labelsOf(filter)
      if (filter.registration_id !== undefined)
        return listById.get(filter.registration_id)?.select(wanted) ?? NONE
      return {
        total: all.count(wanted),
        countBefore: (ordinal) => all.count(wanted, ordinal),
        ordinals: (skip, limit) => all.places(wanted, skip, limit),
      }
    },
  }
}

const NONE: JobSelection = { total: 0, countBefore: () => 0, ordinals: () => [] }

type RegistrationList = ReturnType<typeof createRegistrationList>

/** The jobs of one registration. */
function createRegistrationList(data: IndexData, number: number) {
  const ordinals = data.column(`jobs/of/${number}/ordinals`, 'u32')
  const labels = createLabelIndex(data.column(`jobs/of/${number}/labels`, 'u8'))
  return {
    add(ordinal: number, label: number): void {
      ordinals.push(ordinal)
      labels.push(label)
    },
    setLabel: (ordinal: number, label: number) => labels.set(placeFrom(ordinals, ordinal), label),
    select: (wanted: readonly number[]): JobSelection => ({
      total: labels.count(wanted),
      countBefore: (ordinal) => labels.count(wanted, placeFrom(ordinals, ordinal)),
      ordinals: (skip, limit) => labels.places(wanted, skip, limit).map(ordinals.get),
    }),
  }
}

/** The place of the first that is not below the value, in a column that ascends. */
function placeFrom(ascending: Column, value: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending.get(middle) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** A few jobs by their ordinals, which ascend. */
export function selectAmong(ordinals: readonly number[]): JobSelection {
  return {
    total: ordinals.length,
    countBefore: (ordinal) => ordinals.filter((each) => each < ordinal).length,
    ordinals: (skip, limit) => ordinals.slice(skip, skip + limit),
  }
}
