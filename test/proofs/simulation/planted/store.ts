import type { DatabaseSync } from 'node:sqlite'
import { alterStore, type PlantedBug, withMembers } from './planted-bug.ts'
import type { Disk } from '../../../../sandbox/engine/state/disk.ts'

export const VIEW_BUGS: readonly PlantedBug[] = [
  {
    id: 'due-lost-at-restart',
    about: 'A restart forgets the job that is due next.',
    plant: alterStore((store) => ({
      dueJobs: (until, limit) => store.dueJobs(until, limit).slice(1),
    })),
  },
  {
    id: 'interruption-forgotten',
    about: 'A restart forgets the attempts in flight.',
    plant: alterStore(() => ({ begunJobs: () => [] })),
  },
  {
    id: 'wake-up-lost',
    about: 'The dispatcher misses every third new job.',
    plant: alterStore((store) => ({
      subscribe(listener) {
        let jobs = 0
        return store.subscribe((head, position) => {
          if (head.kind !== 'job' || ++jobs % 3 !== 0) listener(head, position)
        })
      },
    })),
  },
  {
    id: 'objects-at-once',
    about: 'Notifications about the same object do not wait for each other.',
    plant: alterStore((store) => {
      const apart = <Job extends { readonly id: string; readonly object_id: string }>(job: Job | undefined) =>
        job && { ...job, object_id: job.id }
      return { job: (id) => apart(store.job(id)), jobAt: (ordinal) => apart(store.jobAt(ordinal)) }
    }),
  },
  {
    id: 'retry-body-rebuilt',
    about: 'A retry sends the current state of the object, not the state at the trigger.',
    plant: alterStore((store) => ({
      jobBody(job) {
        const { object_type, object_id } = job
        const isShow = object_type !== 'bank_accounts' && object_type !== 'virtual_accounts'
        const latest = isShow && job.attempts > 0 ? store.object(object_type, object_id) : undefined
        return latest ? JSON.stringify({ [object_type]: latest.body }) : store.jobBody(job)
      },
    })),
  },
  {
    id: 'page-skips-one',
    about: 'In a list, each page except the first begins one row too late.',
    plant: alterStore((store) => ({
      jobPage: (filter, part) =>
        store.jobPage(filter, { ...part, ...(part.offset && { offset: part.offset + 1 }) }),
    })),
  },
  {
    id: 'filter-loses-retried',
    about: 'The list of failed jobs omits retried jobs.',
    plant: alterStore((store) => ({
      jobPage(filter, part) {
        const page = store.jobPage(filter, part)
        const isShown = ({ attempts }: { readonly attempts: number }) =>
          filter.status !== 'failed' || attempts < 2
        return { ...page, jobs: page.jobs.filter(isShown) }
      },
    })),
  },
  {
    id: 'failed-before-attempt',
    about: 'A job is listed as failed before its first attempt.',
    plant: alterStore((store) => ({
      jobPage(filter, part) {
        const page = store.jobPage(filter, part)
        const jobs = page.jobs.map((job) =>
          job.status === 'pending' ? { ...job, status: 'failed' as const } : job,
        )
        return { ...page, jobs }
      },
    })),
  },
  {
    id: 'history-cut',
    about: 'The record of a job omits the first attempt.',
    plant: alterStore((store) => ({
      attempts: (job) => store.attempts(job).slice(job.attempts > 1 ? 1 : 0),
    })),
  },
  {
    id: 'old-url',
    about: 'After a change of its URL, a registration still gets notifications at the old URL.',
    plant: alterStore((store) => {
      const firstUrls = new Map<string, string>()
      return {
        registration(id) {
          const found = store.registration(id)
          if (!found) return found
          firstUrls.set(id, firstUrls.get(id) ?? found.url)
          return { ...found, url: firstUrls.get(id) ?? found.url }
        },
      }
    }),
  },
]

/** Disk bugs. The power-loss proof also plants these bugs in a real store. */
export const DISK_BUGS: readonly PlantedBug[] = [
  {
    id: 'sync-ignored',
    about: 'The sandbox does not wait for the disk.',
    plant: { disk: (disk) => withMembers(disk, { sync: () => Promise.resolve() }) },
  },
  {
    id: 'sync-of-later-writes',
    about: 'Transactions that are committed during a sync are acknowledged when this sync ends.',
    plant: { disk: acknowledgeLaterWrites },
  },
  {
    id: 'sync-of-entries-only',
    about:
      'A restored world is acknowledged before it is durable, because its last transaction adds no entries.',
    plant: { disk: skipSyncsWithoutEntries },
  },
  {
    id: 'forgotten-after-full-disk',
    about: 'After a failed sync, the data is not written again.',
    plant: { disk: (disk) => withMembers(disk, { recover: () => {} }) },
  },
  {
    id: 'start-loses-object',
    about: 'At a start, the sandbox removes the row of the newest object version from the table `objects`.',
    plant: { disk: loseNewestObject },
  },
]

function acknowledgeLaterWrites(disk: Disk): Disk {
  let writes = 0
  let claimed = 0
  return withMembers(disk, {
    written(characters) {
      disk.written(characters)
      writes++
    },
    async sync(head) {
      if (writes === claimed) return
      await disk.sync(head)
      claimed = writes
    },
  })
}

function skipSyncsWithoutEntries(disk: Disk): Disk {
  let synced = -1
  return withMembers(disk, {
    async sync(head) {
      if (head.length === synced) return
      await disk.sync(head)
      synced = head.length
    },
  })
}

function loseNewestObject(disk: Disk, database: DatabaseSync): Disk {
  database.exec('DELETE FROM objects WHERE position = (SELECT max(position) FROM objects)')
  return disk
}
