import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** A disk whose syncs fail while `isFull` is true. Import this module before any module that syncs. */
export const disk = { isFull: false, onFailedSync: (_descriptor: number) => {} }

const { fdatasync } = fs

function syncUnlessFull(descriptor: number, callback: fs.NoParamCallback): void {
  if (!disk.isFull) return fdatasync(descriptor, callback)
  disk.onFailedSync(descriptor)
  const message = 'ENOSPC: no space left on device, fdatasync'
  const error = Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'fdatasync' })
  setImmediate(() => callback(error))
}

fs.fdatasync = Object.assign(syncUnlessFull, fdatasync)
syncBuiltinESMExports()
