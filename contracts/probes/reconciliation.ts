import { errorMessage } from '../../spec/errors.ts'
import { explainNoAnswer, maskText } from '../../sandbox/internal.ts'
import type { ReconcileOptions } from '../toolkit/options.ts'
import type { Shell } from './processes.ts'

/** It may have a day to look through; real milliseconds. */
const TIMEOUT_MS = 60_000

/** Lets the platform look for what it has missed; what went wrong, undefined if nothing did. */
export async function runReconciliation(
  options: ReconcileOptions,
  shell: Shell,
): Promise<string | undefined> {
  return options.kind === 'http' ? postTo(options.url) : runCommand(options.command, shell)
}

async function runCommand(command: string, shell: Shell): Promise<string | undefined> {
  try {
    await shell.run(command, { name: 'reconcile.command', timeoutMs: TIMEOUT_MS })
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}

async function postTo(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const said = await answer.text()
    return answer.ok
      ? undefined
      : `reconcile.http ${maskText(url)} answered ${answer.status}: ${said.slice(0, 200)}`
  } catch (error) {
    return `reconcile.http failed: ${explainNoAnswer(error, url).reason}`
  }
}
