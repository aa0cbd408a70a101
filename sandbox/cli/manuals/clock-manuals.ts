import { SANDBOX_EXIT_CODES, type Manuals } from './manual.ts'

export const CLOCK_MANUALS: Manuals = {
  clock: {
    examples: [
      ['clock', 'what it shows, and what moves it'],
      ['clock set manual', 'it stands still'],
    ],
    seeAlso: ['advance', 'settle'],
  },
  'clock set': {
    about: ['A clock never goes back.'],
    examples: [
      ['clock set manual', 'it stands still; "npx hookbench advance 25m" moves it'],
      ['clock set compressed --speed 300', 'five minutes in a second'],
      ['clock set real', 'at the pace of real time'],
    ],
    seeAlso: ['clock', 'advance'],
  },
  advance: {
    about: [
      'It goes from one due instant to the next and waits for the attempts of each. So 25 minutes of retries take as long as your receiver takes to answer.',
    ],
    examples: [
      ['advance 25m', 'by a duration'],
      ['advance 1h45m --json', 'how many attempts were made, for a script'],
      ['advance 2026-01-03T00:00:00.000Z', 'to an instant'],
    ],
    seeAlso: ['clock', 'settle', 'jobs'],
  },
  settle: {
    about: [
      'It also waits for what faults hold back, and for request_response to catch up. It does not wait for what is due later: "npx hookbench advance 25m" makes that due.',
    ],
    examples: [
      ['settle', 'before you look at what your receiver did'],
      ['settle --timeout 500ms --json', 'what is still waited for, for a script'],
    ],
    exitCodes: { ...SANDBOX_EXIT_CODES, 1: 'something was left when the time was over' },
    seeAlso: ['advance', 'jobs', 'faults'],
  },
}
