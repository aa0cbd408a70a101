/**
 * The idle timeout of a call that gets an immediate response. The constant has its own file, because the dashboard build replaces
 * http-call.ts.
 */
export const FIVE_MINUTES_MS = 300_000
