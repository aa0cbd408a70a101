/**
 * The idle limit of a call that is answered at once. The build of the page replaces http-call.ts, so this constant has
 * a file of its own.
 */
export const FIVE_MINUTES_MS = 300_000
