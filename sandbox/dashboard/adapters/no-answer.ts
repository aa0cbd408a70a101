import type { NoAnswer } from '../../client/no-answer.ts'

/**
 * Why a call had no answer, as far as a browser says it: its errors have no codes. The build puts this module in place of the one
 * that knows those of Node.
 */
export function explainNoAnswer(error: unknown, url: string): NoAnswer {
  const message = error instanceof Error ? error.message : String(error)
  return { code: '', isUntrusted: false, reason: `there is no answer from ${new URL(url).host} (${message})` }
}
