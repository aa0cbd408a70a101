import type { ReceiverFunction } from '../../sandbox/index.ts'

export const ok: ReceiverFunction = () => new Response()

/** Accepts the test POST, then responds to each notification with the next status. Afterwards, responds with 200. */
export function answering(...statuses: readonly number[]): ReceiverFunction {
  const left = [200, ...statuses]
  return () => new Response(null, { status: left.shift() ?? 200 })
}
