import { isWorldName } from '../../spec/world-name.ts'
import { ApiError } from '../engine/core/api-error.ts'
import { correctSpelling } from '../../spec/nearest.ts'
import { DEFAULT_WORLD, type WorldDirectory, type WorldRecord } from '../engine/state/world-directory.ts'

/** For who may know which worlds there are. */
export function unknownWorldError(name: string, directory: Pick<WorldDirectory, 'list'>): ApiError {
  const worlds = directory.list()
  const meant = correctSpelling(name, [DEFAULT_WORLD, ...worlds.map((world) => world.name)])
  const hint = isWorldName(name) ? 'add it, or list those that there are' : 'list those that there are'
  return new ApiError('not-found', {
    code: 'unknown_world',
    message: `Cannot find world "${name}"`,
    hint: meant === undefined ? hint : `did you mean "${meant}"? List those that there are`,
    command: 'worlds',
  })
}

export function otherWorldError({ name }: Pick<WorldRecord, 'name'>): ApiError {
  return new ApiError('forbidden', {
    code: 'other_world',
    message: `Cannot do this with the token of world "${name}": it opens that world only`,
    hint: 'use the token of the whole sandbox, which "up" prints',
  })
}
