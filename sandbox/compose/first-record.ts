import { fileCreatedAt } from '../adapters/files.ts'
import { realTime } from '../adapters/real-time.ts'
import { secretText } from '../adapters/secrets.ts'
import { StorageError } from '../engine/state/storage-error.ts'
import {
  DEFAULT_WORLD,
  WorldTakenError,
  type WorldKey,
  type WorldRecord,
} from '../engine/state/world-directory.ts'
import type { ServeOptions } from './serve-options.ts'
import { refuseSameKeys } from './world-records.ts'

/** The default world as if it were one of several. */
export function createFirstRecord({ settings, benchToken, storePath, seed }: ServeOptions): WorldRecord {
  return {
    id: DEFAULT_WORLD,
    name: DEFAULT_WORLD,
    credentials: settings.credentials,
    controlToken: benchToken ?? secretText(),
    createdAt: (storePath === undefined ? undefined : fileCreatedAt(storePath)) ?? realTime.now(),
    expiresAt: null,
    seed,
  }
}

/**
 * What names the default world is chosen anew at each start: with that of another one it could not be reached. Throws StorageError
 * `unusable`.
 */
export function refuseKeysOfOthers(first: WorldRecord, others: Iterable<WorldRecord>): void {
  for (const other of others) {
    try {
      refuseSameKeys(first, other)
    } catch (error) {
      throw error instanceof WorldTakenError ? toUnusable(error.key, first, other) : error
    }
  }
}

function toUnusable(key: WorldKey, { credentials }: WorldRecord, { name }: WorldRecord): StorageError {
  const [what, option] = describeKey(key, credentials)
  return new StorageError(
    'unusable',
    `Cannot start with ${what}: world "${name}" has it, and is chosen by it; give the default world another one with ${option}, or unset what "worlds show" printed`,
  )
}

function describeKey(
  key: WorldKey,
  { client_id, email }: WorldRecord['credentials'],
): readonly [what: string, option: string] {
  if (key === 'controlToken') return ['this token of the bench', '--token or HOOKBENCH_TOKEN']
  if (key === 'clientId') return [`the client id "${client_id}"`, '--client-id or HOOKBENCH_CLIENT_ID']
  return [`this API token for "${email}"`, '--api-token or HOOKBENCH_API_TOKEN']
}
