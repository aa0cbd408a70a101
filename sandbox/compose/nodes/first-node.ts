import { isSameSecret } from '../../engine/core/same-secret.ts'
import { defaultCredentials } from '../../engine/core/settings.ts'
import { StorageError } from '../../engine/state/log.ts'
import type { WorldRecord } from '../../engine/state/world-directory.ts'
import type { ServeOptions } from '../serve-options.ts'

/** Throws StorageError `unusable` for a token of the bench that is not the one that all nodes have. */
export function refuseOtherToken(
  { benchToken }: Pick<ServeOptions, 'benchToken'>,
  { rootToken }: { readonly rootToken: string },
): void {
  if (benchToken === undefined || isSameSecret(benchToken, rootToken)) return
  throw new StorageError(
    'unusable',
    'Cannot use this token: the nodes of this database have another one; give that one with --token or HOOKBENCH_TOKEN, ' +
      'or leave it out ("token" in the data folder of another node has it)',
  )
}

/**
 * What the default world began with is in the database, and a node that says otherwise means another one. Throws StorageError
 * `unusable`.
 */
export function refuseOtherBeginning(
  { settings, seed, speed }: Pick<ServeOptions, 'settings' | 'seed' | 'speed'>,
  first: WorldRecord,
): void {
  const other = (['client_id', 'client_secret', 'email', 'api_token'] as const).find(
    (name) =>
      settings.credentials[name] !== defaultCredentials[name] &&
      settings.credentials[name] !== first.credentials[name],
  )
  if (other !== undefined) throw otherError(other, 'its default world has another one')
  if (seed !== undefined && seed !== first.seed)
    throw otherError('seed', `its default world began with ${first.seed ?? 'none'}`)
  if (speed !== undefined && speed !== first.speed)
    throw otherError('speed', `its default world began with ${first.speed ?? 'none'}`)
}

function otherError(what: string, why: string): StorageError {
  return new StorageError(
    'unusable',
    `Cannot use this ${what} with the database: ${why}; give that one, or leave it out`,
  )
}
