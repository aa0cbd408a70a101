import type { NotifiedType } from '../../spec/notifications.ts'
import type { Assembled } from '../compose/assemble.ts'
import { createObject } from '../api/control/objects.ts'
import { ApiError } from '../engine/core/api-error.ts'
import type { Fields } from '../engine/objects/plausible.ts'
import { replyOf } from './decisions.ts'
import type { DataPorts } from './data.ts'

/** Makes objects as the bench does, but tells nobody. */
export function seedingOf({ context, commit }: Pick<Assembled, 'context' | 'commit'>): {
  readonly [Name in 'complete' | 'seed']: DataPorts[Name]
} {
  const decide = (type: NotifiedType, fields: Fields) => {
    try {
      return replyOf(createObject({ path: { type }, query: {}, body: { ...fields } }, context))
    } catch (error) {
      throw error instanceof ApiError ? refusal(type, error) : error
    }
  }
  return {
    complete: (type, fields) => decide(type, fields).body.object,
    async seed(type, object) {
      // Decided and committed in one turn: of two with the same id, the second is refused.
      const { writes } = decide(type, { ...object })
      await commit(writes.map((write) => (write.kind === 'object' ? { ...write, silent: true } : write)))
    },
  }
}

function refusal(type: NotifiedType, cause: ApiError): TypeError {
  const problems = cause.problems.map(({ field, message }) =>
    field === undefined || cause.code === 'conflict' ? message : `"${field}": ${message}`,
  )
  return new TypeError(`Cannot seed ${type}: ${problems.join('; ')}`, { cause })
}
