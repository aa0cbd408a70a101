import type { Health } from '../../spec/generated/control-types.ts'

/** What helps a sandbox that answers and takes no changes. */
export function storageRemedy(status: Health['status'] = 'storage_full'): string {
  return status === 'storage_full'
    ? 'make room on the disk of its data folder: it goes on by itself'
    : 'end the sandbox and start it again'
}
