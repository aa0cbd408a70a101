import { eventTypes } from '../../api/control/event-text.ts'
import type { ExitCodes, Manuals } from './manual.ts'

const RUN_EXIT_CODES: ExitCodes = {
  0: 'it was stopped',
  2: 'wrong use, such as a port or a data folder that is in use',
  4: 'its store is damaged, or has failed',
}

const LINES = 'With --json each line is a JSON object with an "event": ready, attempt, unsubscribed, stopped.'

export const SANDBOX_MANUALS: Manuals = {
  up: {
    about: [
      'The service API is what your platform calls; the bench is what you and these commands call, and it serves a page that shows everything. Addresses, token and credentials are printed.',
      'What is stored, the local CA and the token are in the data folder. The next start on the same folder goes on where this one ended.',
      'It has one world, which is called "default"; "hookbench worlds add" adds others. HOOKBENCH_WORLD is for the commands that call it, and means nothing here.',
      LINES,
    ],
    examples: [
      ['up', 'on ports 4010 and 4011, with .hookbench as its data folder'],
      ['up --memory --clock manual', 'nothing is kept, and time passes only by "advance": for tests'],
      ['up --port 0 --bench-port 0 --data .hookbench-ci --json', 'on free ports, which the first line names'],
      [
        'up --listen 0.0.0.0 --allowed-host bench.test --token TOKEN --client-secret SECRET --api-token SECRET',
        'for others too, over HTTPS',
      ],
      ['up --speed 300 --reading retry-window=five-attempts', 'five minutes pass in a second'],
    ],
    exitCodes: RUN_EXIT_CODES,
    seeAlso: ['demo', 'down', 'ready', 'doctor', 'register', 'worlds'],
  },
  demo: {
    about: [
      'The shop answers twice with 503 at a deposited payment, and ships each time that it is notified of a success. Its data folder is .hookbench-demo, where a configuration says how it is judged.',
      LINES,
    ],
    examples: [
      ['demo', 'watch the retries come'],
      ['demo --open', 'the same on the page, in your browser'],
      ['demo --port 0 --bench-port 0 --receiver-port 0', 'where the usual ports are in use'],
    ],
    exitCodes: RUN_EXIT_CODES,
    seeAlso: ['up', 'rehearse', 'timeline'],
  },
  down: {
    about: [
      'It does what "kill" of the pid of "npx hookbench up &" does not: that is the pid of npx, which leaves the sandbox behind. Where none runs on the folder, it says so and is fine.',
      'All worlds of the sandbox stop with it, whichever HOOKBENCH_WORLD names; they are there again when it starts.',
    ],
    examples: [
      ['down', 'the sandbox of .hookbench'],
      ['down --data .hookbench-ci --json', 'the one of another folder; prints its pid'],
    ],
    seeAlso: ['up', 'reset'],
  },
  ready: {
    about: ['Use it between the start of a sandbox in the background and what needs it.'],
    examples: [
      ['up --memory --clock manual & npx hookbench ready && npm test', 'wait, then test'],
      ['ready --timeout 30', 'for half a minute at most'],
      ['ready --json', 'the addresses, for a script'],
    ],
    exitCodes: { 0: 'it answers', 2: 'wrong use', 3: 'it did not answer in time' },
    seeAlso: ['up', 'down'],
  },
  doctor: {
    about: [
      'It looks at the data folder, the sandbox, its token, the registrations with a test POST to each that is enabled, the jobs, the faults and the clock. Each finding is fine (✓), worth a look (!) or a problem (✗), with what to do.',
      'With --store it reads all that the stores of all worlds hold, and leaves them as they are, while no sandbox runs on them.',
    ],
    examples: [
      ['doctor', 'why is nothing received?'],
      ['doctor --store', 'is the store whole? (while no sandbox runs)'],
      ['doctor --json', 'the findings, for a script'],
    ],
    exitCodes: { 0: 'no problem', 1: 'a problem', 2: 'wrong use', 4: 'with --store: it is damaged' },
    seeAlso: ['registrations', 'jobs', 'faults'],
  },
  events: {
    about: [
      'When the connection is lost, it reconnects and continues without loss or repetition. Events that the sandbox no longer has, as after a restart, are reported once as "gap".',
    ],
    sections: [{ heading: 'Types', about: [eventTypes.join(', ')] }],
    examples: [
      ['events', 'what happens from now on'],
      ['events --since 0 --type job,attempt', 'all jobs and attempts that are known'],
      ['events --type attempt --count 1 --json', 'wait for the next attempt'],
    ],
    seeAlso: ['timeline', 'jobs', 'settle'],
  },
}
