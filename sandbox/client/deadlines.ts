/** The idle timeout of a call. This file is separate, because the dashboard build replaces http-call.ts. */
export const FIVE_MINUTES_MS = 300_000
