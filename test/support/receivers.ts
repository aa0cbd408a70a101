import type { ReceiverFunction } from '../../sandbox/index.ts'

/** Takes everything. */
export const ok: ReceiverFunction = () => new Response()

/** Answers the test POST with success, then each notification with the next of these; 200 after the last. */
export function answering(...statuses: readonly number[]): ReceiverFunction {
  const left = [200, ...statuses]
  return () => new Response(null, { status: left.shift() ?? 200 })
}
