/** The idle limit of a call that is answered at once. */
export const FIVE_MINUTES_MS = 300_000
