import { cutConnection, type ApiFault } from '../api-fault.ts'

/** Answers nothing until it is removed or the caller goes away; then the connection is cut. */
export const hang: ApiFault = async (_, { fault: { id }, gates, signal }) => {
  await gates.wait(id, { signal })
  return cutConnection()
}
