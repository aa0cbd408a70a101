import { cutConnection, type ApiFault } from '../api-fault.ts'

/** Cuts the connection, and does nothing. */
export const reset: ApiFault = () => Promise.resolve(cutConnection())
