import type { AttemptHead } from '../../../sandbox/engine/state/entries.ts'
import type { Job } from './reference-model.ts'
import type { Run } from './run.ts'
import type { Post } from './world/history.ts'
import { isTestPost } from './world/receivers.ts'

/** What a POST can be recognised by at the receiver: it says nothing of its job. */
function postKey({ url, body }: Pick<Post, 'url' | 'body'>): string {
  const [, generation = ''] = new URL(url).pathname.split('/')
  return `${generation}/${body}`
}

/** An attempt that the log says was made, and when. */
export interface RecordedAttempt {
  readonly job: Job
  readonly head: AttemptHead
  readonly key: string
}

/** All attempts on record, by what their POST is recognised by. */
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

/** All notifications that arrived, by what they are recognised by. */
export function postsByKey({ history }: Pick<Run, 'history'>): ReadonlyMap<string, readonly Post[]> {
  return Map.groupBy(
    history.posts.filter((post) => !isTestPost(post)),
    postKey,
  )
}

export function isAccepted({ outcome }: Pick<Post, 'outcome'>): boolean {
  return outcome?.kind === 'answered' && outcome.status >= 200 && outcome.status < 300
}
