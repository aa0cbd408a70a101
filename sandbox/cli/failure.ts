import { DataFolderError } from '../adapters/data-folder.ts'
import { CertificateAuthorityError } from '../adapters/certificate-authority-files.ts'
import { ListenError } from '../adapters/node-server.ts'
import { RefusedError, UnreachableError } from '../adapters/requests.ts'
import { printable } from '../printable.ts'
import { StorageError } from '../state/log.ts'

/** What the exit code tells a script. */
export const EXIT = { fine: 0, failed: 1, misused: 2, unreachable: 3, damaged: 4 } as const

/** The command was called in a way it cannot carry out. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Prints one line and sets the exit code; a bug keeps its stack. */
export function reportFailure(error: unknown, { json }: { readonly json: boolean }): void {
  const code = exitCodeOf(error)
  process.exitCode = code ?? EXIT.failed
  if (code === undefined) {
    console.error(error)
    return
  }
  const message = printable(error instanceof Error ? error.message : String(error))
  const { code: word, field, hint }: Partial<RefusedError> = error instanceof RefusedError ? error : {}
  // What is undefined is left out.
  if (json) console.error(JSON.stringify({ error: { code: word, message, field, hint } }))
  else console.error(`hookbench: ${message}${hint === undefined ? '' : `; ${hint}`}`)
}

function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof UsageError || error instanceof RangeError) return EXIT.misused
  if (error instanceof DataFolderError || error instanceof ListenError) return EXIT.misused
  if (error instanceof UnreachableError) return EXIT.unreachable
  if (error instanceof RefusedError) return error.misused ? EXIT.misused : EXIT.failed
  if (error instanceof CertificateAuthorityError) return EXIT.damaged
  if (error instanceof StorageError) return error.kind === 'damaged' ? EXIT.damaged : EXIT.failed
  return undefined
}
