import { alteredText } from '../altered-text.ts'
import type { TransportFault } from '../transport-fault.ts'

/** Sends other bytes than the service's, which no signature covers. */
export const alteredBody: TransportFault = (inner, settings) => ({
  post: ({ body, ...message }, deadlineMs) =>
    inner.post(
      { ...message, body: Buffer.from(alteredText(Buffer.from(body).toString(), settings)) },
      deadlineMs,
    ),
})
