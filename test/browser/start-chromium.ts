import { shareChromium } from '../support/chromium.ts'

/** One browser for all files: to start one takes longer than most tests in it. */
export const setup = shareChromium
