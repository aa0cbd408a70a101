import type { WorldRequest } from '../../spec/generated/control-types.ts'
import { RefusedError } from '../client/requests.ts'
import { writeSnapshot } from '../client/snapshots.ts'
import type { Perform } from '../compose/perform.ts'
import { commandLine } from '../engine/core/command-line.ts'
import { printWarning } from './failure.ts'
import { findAddress, type SandboxFlags } from './sandbox-flags.ts'
import { describeSnapshotRefusal, SNAPSHOT_REMEDY } from './snapshot-source.ts'
import { onStopSignal } from './stop-signals.ts'

/** A world that is to be added, and what it is to begin as. */
interface Filling {
  readonly request: WorldRequest
  readonly from: string
  readonly pieces: AsyncIterable<Uint8Array>
}

/**
 * Adds a world with the snapshot in it. Where that fails, or a signal ends it, the world is removed again. Throws RefusedError with the
 * reason, and UnreachableError.
 */
export async function addFilledWorld(filling: Filling, perform: Perform, flags: SandboxFlags): Promise<void> {
  const { name } = filling.request
  const stopped = Promise.withResolvers<() => void>()
  const stopping = new AbortController()
  const ignoreSignals = onStopSignal((end) => {
    stopped.resolve(end)
    stopping.abort()
  })
  try {
    await perform('addWorld', { body: filling.request })
    const stop = stopped.promise.then((end) => ({ kind: 'stopped', end }) as const)
    const outcome = await Promise.race([stop, fill(filling, flags, stopping.signal)])
    if (outcome.kind === 'filled') return
    const isRemoved = await removeAgain(name, perform, flags)
    if (outcome.kind === 'failed') throw toRefusal(outcome.cause, filling, isRemoved)
    if (isRemoved) printWarning(`Stopped: world "${name}" was removed again`)
    outcome.end()
  } finally {
    ignoreSignals()
  }
}

/** Never rejects: nobody may wait for it any more. */
async function fill(
  { request: { name }, pieces }: Filling,
  flags: SandboxFlags,
  signal: AbortSignal,
): Promise<{ readonly kind: 'filled' } | { readonly kind: 'failed'; readonly cause: unknown }> {
  try {
    await writeSnapshot({ ...findAddress(flags), world: name }, pieces, signal)
    return { kind: 'filled' }
  } catch (cause) {
    return { kind: 'failed', cause }
  }
}

/** Whether it was. Says how to remove it if it was not. */
async function removeAgain(name: string, perform: Perform, flags: SandboxFlags): Promise<boolean> {
  try {
    await perform('removeWorld', { path: { name } })
    return true
  } catch {
    const command = commandLine(`worlds remove ${name}`, flags)
    printWarning(`World "${name}" may be left, without the snapshot; remove it with "${command}"`)
    return false
  }
}

function toRefusal(cause: unknown, { request: { name }, from }: Filling, isRemoved: boolean): unknown {
  if (!(cause instanceof RefusedError)) return cause
  const { code, field, misused } = cause
  const end = isRemoved ? '; the world was removed again' : ''
  return new RefusedError(
    `Cannot add world "${name}" from "${from}": ${describeSnapshotRefusal(cause)}${end}`,
    { cause, code, field, misused, ...(misused && { hint: SNAPSHOT_REMEDY }) },
  )
}
