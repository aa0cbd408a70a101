import type { ApiFault } from '../api-fault.ts'

/** Answers late; what it does, it does late too. */
export const delay: ApiFault = async (next, { fault: { id, settings }, holds, signal }) => {
  await holds.wait(id, { afterMs: settings.delay_ms, signal })
  return next()
}
