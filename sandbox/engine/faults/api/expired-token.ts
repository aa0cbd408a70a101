import { ApiError } from '../../core/api-error.ts'
import type { ApiFault } from '../api-fault.ts'

/** Refuses a good token as one whose time is over. Reading: webhook-operations */
export const expiredToken: ApiFault = (_, { refuse }) =>
  Promise.resolve(refuse(new ApiError('unauthorized', 'token expired')))
