import { CONTENT_HELP } from '../content-options.ts'
import type { Manuals } from './manual.ts'

const PAGES = 'The first line leads to the page before, the last to the page after.'

export const DELIVERY_MANUALS: Manuals = {
  jobs: {
    about: [`A job is one notification to one registration, with all its attempts. ${PAGES}`],
    examples: [
      ['jobs', 'the newest 20'],
      ['jobs --status failed', 'those that were given up'],
      ['jobs --type items --object ITEM --wide', 'those of one object, with whole ids'],
      ['jobs --status pending --json', 'for a script'],
    ],
    seeAlso: ['job', 'resend', 'timeline', 'deliveries'],
  },
  job: {
    about: [
      'For each attempt: what came back, how long it took, what was odd about it and what to do. Each body is shown once.',
    ],
    examples: [
      ['job JOB', 'its id, or the beginning of it'],
      ['job JOB --diff', 'and what the object says otherwise by now'],
      ['job JOB --json', 'every byte, for a script'],
    ],
    seeAlso: ['jobs', 'resend', 'deliver'],
  },
  resend: {
    about: ['Only what has failed by webhook can be resent, to a registration that is there.'],
    examples: [
      ['resend JOB', ''],
      ['resend JOB --json', 'the job with all its attempts, for a script'],
    ],
    seeAlso: ['job', 'deliver'],
  },
  deliver: {
    about: [
      `For --body and --raw, ${CONTENT_HELP}. --body is parsed and sent as JSON; --raw is sent byte for byte, whatever it is.`,
      'It goes only where deliveries may go: to this machine, and to what "up --allow-target" names.',
    ],
    examples: [
      [
        'deliver https://localhost:9443/hooks/5f0c --body \'{"items":{"id":"42","state":"completed"}}\'',
        'something that the service never sent',
      ],
      [
        "deliver --registration REGISTRATION --raw @forged.json -H 'content-type: text/plain' --times 3",
        'a file as it stands, three times',
      ],
      ['deliver --job JOB', 'once more what was sent'],
    ],
    seeAlso: ['deliveries', 'delivery', 'resend', 'faults'],
  },
  deliveries: {
    about: [PAGES],
    examples: [
      ['deliveries', 'the newest 20'],
      ['deliveries --limit 100 --json', 'for a script'],
    ],
    seeAlso: ['deliver', 'delivery', 'jobs'],
  },
  delivery: {
    examples: [
      ['delivery DELIVERY', ''],
      ['delivery DELIVERY --json', 'every byte, for a script'],
    ],
    seeAlso: ['deliver', 'deliveries'],
  },
  timeline: {
    about: ['By payment and by object, each attempt with how long after the trigger it came.'],
    examples: [
      ['timeline', 'the newest 50 jobs'],
      ['timeline --limit 200 --json', 'for a script'],
    ],
    seeAlso: ['jobs', 'events', 'requests'],
  },
  requests: {
    about: [`What your platform has asked, and what your receiver has asked back. ${PAGES}`],
    examples: [
      ['requests', 'the newest 20'],
      ['requests --operation showItem --object ITEM', 'did the receiver ask for the item?'],
      ['requests --type items --json', 'for a script'],
    ],
    seeAlso: ['jobs', 'timeline', 'faults'],
  },
}
