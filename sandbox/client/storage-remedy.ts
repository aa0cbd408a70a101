import type { Health } from '../../spec/generated/control-types.ts'

/** What helps a sandbox that answers and takes no changes. */
export function storageRemedy(status: Health['status'] = 'storage_full'): string {
  if (status === 'storage_full') return 'make room on the disk of its data folder: it goes on by itself'
  if (status === 'storage_away') return 'look to PostgreSQL: the sandbox continues by itself'
  return 'end the sandbox and start it again'
}
