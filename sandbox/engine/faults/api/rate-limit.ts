import type { ApiFault } from '../api-fault.ts'

/** Answers 429 with `Retry-After`, and does nothing. Reading: request-limits */
export const rateLimit: ApiFault = (_, { fault: { settings } }) =>
  Promise.resolve(
    Response.json(
      { status: 'Too Many Requests', message: 'rate limit exceeded' },
      { status: 429, headers: { 'retry-after': String(settings.retry_after ?? 1) } },
    ),
  )
