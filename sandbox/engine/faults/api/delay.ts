import type { ApiFault } from '../api-fault.ts'

/** Answers late; what it does, it does late too. */
export const delay: ApiFault = async (next, { fault: { id, settings }, gates, signal }) => {
  await gates.wait(id, { afterMs: settings.delay_ms, signal })
  return next()
}
