import { exec } from 'node:child_process'
import { promisify } from 'node:util'

const TIMEOUT_MS = 20_000

/** Runs a shell command to its end; `name` is what the configuration calls it. Throws RangeError with what it said if it fails. */
export async function runShell(command: string, name: string): Promise<void> {
  try {
    await promisify(exec)(command, { timeout: TIMEOUT_MS })
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new RangeError(
      `Cannot run process "${name}" "${command}": ${detail.trim()}; it must end by itself, within ${TIMEOUT_MS} ms`,
      { cause },
    )
  }
}
