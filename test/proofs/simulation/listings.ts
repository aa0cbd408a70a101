import type { SingleCommand } from './plan.ts'
import { objectsOf, pick, registrationsOf } from './plan-arbitrary.ts'
import type { Answer, ListName, Post } from './world/history.ts'
import type { World } from './world/world.ts'
import type { AttemptHead } from '../../../sandbox/engine/state/entries.ts'
import type { Job } from './reference-model.ts'
import type { Run } from './run.ts'
import { isTestPost } from './world/platform.ts'

type ListCommand = Extract<SingleCommand, { readonly kind: 'list' }>

export async function askForList(command: ListCommand, world: World): Promise<void> {
  const { platform } = world
  const { list, which, limit } = command
  const registrations = registrationsOf(world)
  const length = world.disk.length
  // Reads can include changes that are not yet written.
  const isAsWritten = () => world.disk.length === length && world.sandbox().assembled.store.length === length
  const isExact = isAsWritten()
  const keep = (name: ListName, of: string, rows: readonly unknown[] | undefined) =>
    rows && world.addListing({ list: name, of, rows, length, isExact: isExact && isAsWritten() })

  switch (list) {
    case 'registrations':
      for (const generation of ['webhooks', 'callbacks'] as const)
        keep(generation, '', await askByOffset(`/${generation}`, { of: generation, limit, world }))
      return
    case 'failed': {
      const webhook = pick(
        registrations.filter(({ generation }) => generation === 'webhooks'),
        which,
      )
      if (!webhook) return
      const path = `/webhooks/${webhook.id}/jobs`
      keep(
        'failed-jobs',
        webhook.id,
        await askByOffset(`${path}?status=failed`, { of: 'jobs', limit, world }),
      )
      keep('jobs', webhook.id, await askByOffset(path, { of: 'jobs', limit, world }))
      return
    }
    case 'responses': {
      const callback = pick(
        registrations.filter(({ generation }) => generation === 'callbacks'),
        which,
      )
      if (!callback) return
      const path = `/callbacks/${callback.id}/responses`
      const rows = await askByOffset(path, { of: 'callback_responses', limit, world })
      keep('callback-responses', callback.id, rows)
      return
    }
    case 'job': {
      const job = pick(world.sandbox().assembled.store.jobs(), which)
      if (job?.generation !== 'webhooks') return
      const { status, body } = await platform.service(
        'GET',
        `/webhooks/${job.registration_id}/jobs/${job.id}`,
      )
      if (status === 200) keep('job', job.id, [body])
      return
    }
    case 'show': {
      const object = pick(objectsOf(world), which)
      if (!object) return
      const { status, body } = await platform.service('GET', `/${object.type}/${object.id}`)
      if (status === 200) keep('shown', `${object.type}/${object.id}`, [body])
      return
    }
    case 'control':
      keep('control-failed', '', await askByCursor('/jobs?status=failed', limit, world))
  }
}

/** The maximum number of rows. A list with more rows than this is treated as endless. */
const MAX_ROWS = 2_000

interface Pages {
  /** The field of the response that contains the rows. A response without rows lacks this field. */
  readonly of: string
  readonly limit: number
  readonly world: World
}

async function askByOffset(
  path: string,
  { of, limit, world }: Pages,
): Promise<readonly unknown[] | undefined> {
  const rows: unknown[] = []
  const start = path.includes('?') ? `${path}&` : `${path}?`
  for (;;) {
    const { status, body } = await world.platform.service(
      'GET',
      `${start}limit=${limit}&offset=${rows.length}`,
    )
    if (status !== 200) return undefined
    const page: readonly unknown[] = body?.[of] ?? []
    rows.push(...page)
    if (page.length < limit || rows.length > MAX_ROWS) return rows
  }
}

async function askByCursor(path: string, limit: number, { platform }: World): Promise<readonly unknown[]> {
  const rows: unknown[] = []
  for (let cursor: string | null = '0'; cursor !== null;) {
    const { body }: Answer = await platform.bench('GET', `${path}&limit=${limit}&cursor=${cursor}`)
    rows.push(...body.jobs)
    cursor = rows.length > MAX_ROWS ? null : body.next_cursor
  }
  return rows
}

interface RefusedCall {
  readonly listener: 'service' | 'bench'
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const register = (url: string, object_type = 'items'): RefusedCall => ({
  listener: 'service',
  method: 'POST',
  path: '/webhooks',
  body: { url, object_type },
})

export const REFUSED_CALLS: readonly RefusedCall[] = [
  register('http://localhost:9443/plain'),
  register('https://receiver.example/elsewhere'),
  register('https://169.254.169.254/latest'),
  register('https://localhost:4010/items'),
  register('https://user:word@localhost:9443/x'),
  register('https://localhost:9443/x', 'invoices'),
  { listener: 'service', method: 'POST', path: '/webhooks', body: { object_type: 'items' } },
  {
    listener: 'service',
    method: 'POST',
    path: '/callbacks',
    body: { url: 'https://localhost:9443/x', object_type: 'virtual_accounts' },
  },
  { listener: 'service', method: 'PATCH', path: '/items/none', body: { name: 'x' } },
  { listener: 'service', method: 'GET', path: '/webhooks/none' },
  { listener: 'service', method: 'DELETE', path: '/callbacks/none' },
  { listener: 'bench', method: 'POST', path: '/objects/invoices', body: {} },
  { listener: 'bench', method: 'POST', path: '/objects/items', body: { amount: 1.5 } },
  { listener: 'bench', method: 'POST', path: '/payments', body: { kind: 'none' } },
  { listener: 'bench', method: 'POST', path: '/clock/advance', body: { by: '-5m' } },
  { listener: 'bench', method: 'POST', path: '/jobs/none/resend' },
]

/** Returns the generation and body of a POST as a key, because the POST does not name its job. */
function postKey({ url, body }: Pick<Post, 'url' | 'body'>): string {
  const [, generation = ''] = new URL(url).pathname.split('/')
  return `${generation}/${body}`
}

export interface RecordedAttempt {
  readonly job: Job
  readonly head: AttemptHead
  readonly key: string
}

export function recordedByKey({
  model,
}: Pick<Run, 'model'>): ReadonlyMap<string, readonly RecordedAttempt[]> {
  const recorded = model.jobs.flatMap((job) =>
    job.attempts.map(({ head, body }) => {
      const sent: string = JSON.parse(body).request_body ?? job.body
      return { job, head, key: postKey({ url: head.url, body: sent }) }
    }),
  )
  return Map.groupBy(recorded, ({ key }) => key)
}

export function postsByKey({ history }: Pick<Run, 'history'>): ReadonlyMap<string, readonly Post[]> {
  return Map.groupBy(
    history.posts.filter((post) => !isTestPost(post)),
    postKey,
  )
}

export function isAccepted({ outcome }: Pick<Post, 'outcome'>): boolean {
  return outcome?.kind === 'answered' && outcome.status >= 200 && outcome.status < 300
}
