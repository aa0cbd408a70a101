import type { Manuals } from './manual.ts'

const OPENS =
  'What is printed is taken by a shell as it stands: the address and the credentials for your platform, and the address and a token for these commands, which opens this world only. Adding, copying and removing takes the token of the data folder.'

export const WORLDS_MANUALS: Manuals = {
  worlds: {
    about: [
      'One sandbox has room for a team: a world for each developer, branch and job of CI. What calls the service comes to the world whose credentials it has; what calls the bench, to the one that --world, HOOKBENCH_WORLD or its token names, and otherwise to the one that is called "default".',
      'A world that nobody uses is closed, and opened again by the next call or when something is due in it. Of one that ends by itself, ENDS says when; where several nodes use one PostgreSQL, NODE says which has it.',
      'With the token of a world, only that one is listed.',
    ],
    examples: [
      ['worlds', 'which there are, and until when'],
      ['worlds --json', 'the same, for a script'],
      ['worlds add anna && npx hookbench jobs --world anna', 'a new one, and its jobs'],
    ],
    seeAlso: ['worlds add', 'worlds copy', 'worlds show', 'worlds remove', 'up'],
  },
  'worlds add': {
    about: [
      OPENS,
      'Client ids are of one world each, and so are e-mail addresses with their API tokens: what is left out is made up. With --from the world begins as a snapshot has it, clock and readings too; where that is refused, or you end it with Ctrl-C, there is no new world.',
    ],
    examples: [
      ['worlds add anna', 'an empty one, which stays'],
      ['worlds add pull-417 --ttl 7d --from template.json', 'as it was saved, for a week'],
      [
        'worlds add nightly --seed 7 --clock manual --json',
        'the same ids and times each night; for a script',
      ],
      [
        'worlds add shop --client-id shop --client-secret SECRET',
        'with credentials that a platform has already',
      ],
    ],
    seeAlso: ['worlds', 'worlds copy', 'worlds remove', 'snapshot save'],
  },
  'worlds copy': {
    about: ['The copy has all that a snapshot has. Its credentials and its token are its own.', OPENS],
    examples: [
      ['worlds copy default anna', 'what there is, for somebody to change'],
      ['worlds copy template pull-417 --ttl 2d', 'for a branch'],
    ],
    seeAlso: ['worlds', 'worlds add', 'snapshot save'],
  },
  'worlds show': {
    about: [OPENS],
    examples: [
      ['worlds show anna', ''],
      ['worlds show anna > anna.env', 'then, in any shell: source anna.env'],
      ['worlds show anna --json', 'the same, for a script'],
    ],
    seeAlso: ['worlds', 'worlds add'],
  },
  'worlds remove': {
    about: ['What is under way in it ends, and its credentials and tokens open nothing any more.'],
    examples: [
      ['worlds remove pull-417', ''],
      ['worlds remove pull-417 --json', 'what it was, for a script'],
    ],
    seeAlso: ['worlds', 'reset', 'down'],
  },
}
