import type { Reading as ReadingReply } from '../../../spec/generated/control-types.ts'
import { readings, type Reading } from '../../../spec/readings.ts'
import { ApiError, type Problem } from '../../engine/core/api-error.ts'
import { reply } from '../operations/operation.ts'
import { checkReadings, type ChosenReadings } from '../../engine/core/settings.ts'
import { readPastOrPresent } from './look-back.ts'
import type { ControlOperation } from './operation.ts'

export const listReadings: ControlOperation<'listReadings'> = readPastOrPresent((_, { chosenReadings }) =>
  reply(200, { readings: readings.map((reading) => toReading(reading, chosenReadings())) }),
)

export const setReadings: ControlOperation<'setReadings'> = ({ body }, { chosenReadings }) => {
  const problems = Object.entries(body).flatMap(([id, option]) => findProblem(id, option) ?? [])
  if (problems.length > 0) throw new ApiError('invalid', problems)
  const writes = Object.keys(body).length === 0 ? [] : [{ kind: 'readings', chosen: body } as const]
  const chosen = { ...chosenReadings(), ...body }
  return reply(200, { readings: readings.map((reading) => toReading(reading, chosen)) }, writes)
}

function findProblem(id: string, option: string): Problem | undefined {
  try {
    checkReadings({ [id]: option })
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return { field: id, message: error.message }
    throw error
  }
}

function toReading({ source, options, ...reading }: Reading, chosen: ChosenReadings): ReadingReply {
  const { id, kind, about, why } = reading
  return {
    id,
    kind,
    source: [...source],
    about,
    options: options === undefined ? null : { ...options },
    default: reading.default,
    value: kind === 'shape' ? null : (chosen[id] ?? reading.default),
    why,
  }
}
