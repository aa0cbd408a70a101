import type { JobRecord } from '../../engine/state/indexes.ts'
import type { Context } from './operation.ts'

/** What a job sends, in our words: the reply that it is part of is put into the platform's as a whole. */
export function sentBody<Body extends object>(job: JobRecord, { view, translator }: Context): Body {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reply is checked against the spec
  return translator.inward(JSON.parse(view.jobBody(job))) as unknown as Body
}
