import type { Manuals } from './manual.ts'

export const WORLD_MANUALS: Manuals = {
  readings: {
    about: ['Where the document leaves something open you choose, and see whether your receiver holds.'],
    examples: [
      ['readings', 'what is chosen, and what else can be'],
      ['readings set retry-body current', 'a retry says what the object says by then'],
      ['readings --json', 'with the shapes of the spec, for a script'],
    ],
    seeAlso: ['readings set', 'describe', 'up'],
  },
  'readings set': {
    examples: [
      ['readings set retry-window five-attempts', 'one of its options'],
      ['readings set job-recording-lag 2s', 'a duration'],
    ],
    seeAlso: ['readings', 'up'],
  },
  reset: {
    about: ['The data folder keeps its CA, its token and its addresses.'],
    examples: [
      ['reset', 'between two tests'],
      ['reset --json', 'the clock as it is now, for a script'],
    ],
    seeAlso: ['snapshot', 'down'],
  },
  snapshot: {
    about: [
      'A snapshot has the secrets that receivers were given: it is readable only by you, and belongs in no repository.',
    ],
    examples: [
      ['snapshot save before.json', ''],
      ['snapshot restore before.json', ''],
      ['snapshot save - | gzip > before.json.gz', 'to the standard output'],
    ],
    seeAlso: ['snapshot save', 'snapshot restore', 'reset'],
  },
  'snapshot save': {
    about: ['With - it prints the snapshot itself, which is JSON, whether --json is given or not.'],
    examples: [
      ['snapshot save before.json', ''],
      ['snapshot save - | gzip > before.json.gz', ''],
    ],
    seeAlso: ['snapshot restore'],
  },
  'snapshot restore': {
    about: ['What happened since is gone. The clock goes on from where it stood.'],
    examples: [
      ['snapshot restore before.json', ''],
      ['snapshot restore before.json --json', 'the clock as it is then, for a script'],
    ],
    seeAlso: ['snapshot save', 'reset'],
  },
}
