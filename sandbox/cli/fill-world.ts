import { createReadStream } from 'node:fs'
import type { WorldRequest } from '../../spec/generated/control-types.ts'
import { RefusedError } from '../client/requests.ts'
import { writeSnapshot } from '../client/snapshots.ts'
import type { Perform } from '../compose/perform.ts'
import { commandLine } from '../engine/core/command-line.ts'
import { printWarning, UsageError } from './failure.ts'
import { findAddress, type SandboxFlags } from './sandbox-flags.ts'
import { onStopSignal } from './stop-signals.ts'
import { describeFileError } from '../adapters/files.ts'

interface Filling {
  readonly request: WorldRequest
  readonly from: string
  readonly pieces: AsyncIterable<Uint8Array>
}

/** Adds a world from a snapshot. Removes the world after a failure or a stop signal. Throws RefusedError or UnreachableError. */
export async function addFilledWorld(filling: Filling, perform: Perform, flags: SandboxFlags): Promise<void> {
  const { name } = filling.request
  const stopping = new AbortController()
  let endProcess: (() => void) | undefined
  const ignoreSignals = onStopSignal((end) => {
    endProcess = end
    stopping.abort()
  })
  try {
    await perform('addWorld', { body: filling.request })
    await writeSnapshot({ ...findAddress(flags), world: name }, filling.pieces, stopping.signal).catch(
      async (cause: unknown) => {
        const isRemoved = await removeAgain(name, perform, flags)
        if (!endProcess) throw toRefusal(cause, filling, isRemoved)
        if (isRemoved) printWarning(`Stopped: the command removed the incomplete world "${name}"`)
        endProcess()
      },
    )
  } finally {
    ignoreSignals()
  }
}

async function removeAgain(name: string, perform: Perform, flags: SandboxFlags): Promise<boolean> {
  try {
    await perform('removeWorld', { path: { name } })
    return true
  } catch {
    const command = commandLine(`worlds remove ${name}`, flags)
    printWarning(
      `World "${name}" may still exist, without the content of the snapshot. Remove it with "${command}"`,
    )
    return false
  }
}

function toRefusal(cause: unknown, { request: { name }, from }: Filling, isRemoved: boolean): unknown {
  if (!(cause instanceof RefusedError)) return cause
  const end = isRemoved ? '. The command removed the world again' : ''
  return snapshotRefusal(`add world "${name}" from "${from}"`, cause, end)
}

export function snapshotRefusal(action: string, cause: RefusedError, end = ''): RefusedError {
  const { code, field, misused, message } = cause
  const hint = misused ? 'give an unchanged file from "snapshot save"' : undefined
  const problem = `Cannot ${action}: ${PROBLEMS.get(code) ?? message}${end}`
  return new RefusedError(problem, { cause, code, field, misused, hint })
}

/** Streams a snapshot file, or standard input if `file` is `-`. Throws UsageError if the file cannot be read. */
export async function openSnapshot(file: string): Promise<AsyncIterable<Uint8Array>> {
  if (file === '-') return process.stdin
  const stream = createReadStream(file)
  try {
    await new Promise((opened, failed) =>
      stream.once('readable', opened).once('end', opened).once('error', failed),
    )
    return stream
  } catch (cause) {
    const problem = `Cannot read "${file}" for the snapshot: ${describeFileError(cause)}`
    throw new UsageError(`${problem}. Give the name of a readable file`, { cause })
  }
}

const PROBLEMS: ReadonlyMap<string | undefined, string> = new Map([
  ['damaged_snapshot', 'the snapshot was changed or cut off'],
  ['invalid_json', 'the input does not consist of JSON lines, or was cut off'],
])
