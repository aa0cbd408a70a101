import type { ApiFault } from '../api-fault.ts'

/** Shows an object as it was before, as a service does that reads from a copy that lags. */
export const staleShow: ApiFault = async (next, { fault: { settings }, earlierShow }) => {
  const response = await next()
  const body = response.ok ? earlierShow(settings.revisions_back ?? 1) : undefined
  return body === undefined ? response : Response.json(body)
}
