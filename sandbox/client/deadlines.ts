/**
 * The idle timeout of a call to which the sandbox responds immediately, in milliseconds. The constant is not in http-call.ts,
 * because the build of the dashboard replaces that file.
 */
export const FIVE_MINUTES_MS = 300_000
