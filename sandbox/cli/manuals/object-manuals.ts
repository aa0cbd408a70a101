import type { ManualSection, Manuals } from './manual.ts'

const FIELDS: ManualSection = {
  heading: 'Fields',
  rows: [
    ['key=value', 'text where the field is text; otherwise a number, true, false or null if it reads as one'],
    ['key:=json', 'the JSON as it stands, such as \'related:={"buyers":"…"}\' or \'name:="null"\''],
  ],
}

const VOCABULARY =
  'A vocabulary changes what the service says: its calls and its notifications. The bench, and so this command, keeps the neutral words of the document, such as extwallet.'

export const OBJECT_MANUALS: Manuals = {
  create: {
    about: ['Whoever is registered for the type is notified, as the service does it.', VOCABULARY],
    sections: [FIELDS],
    examples: [
      ['create items amount=1200', 'an item over 12.00; the rest is filled in'],
      ['create items name="Framed photograph" amount=12500', 'with a name of several words'],
      ['create users email=buyer@example.com --json', 'the whole object, for a script'],
    ],
    seeAlso: ['change', 'objects', 'play'],
  },
  show: {
    about: [VOCABULARY],
    examples: [
      ['show items ITEM', 'as the service shows it now'],
      ['show items ITEM --at 2026-01-01T07:05:00.000Z', 'as it was then'],
      ['show items ITEM --json', 'with its revision, for a script'],
    ],
    seeAlso: ['describe', 'objects', 'change'],
  },
  change: {
    about: ['A change that changes nothing notifies nobody.', VOCABULARY],
    sections: [FIELDS],
    examples: [
      ['change items ITEM amount=1500', 'whoever is registered for items is notified'],
      ["change items ITEM 'description:=null'", 'the JSON as it stands'],
    ],
    seeAlso: ['move', 'create', 'show'],
  },
  move: {
    about: [
      'Where the document shows how a type moves, only those moves are possible; items and users go to any listed state. "describe" lists where an object can go.',
    ],
    examples: [
      ['move items ITEM completed', ''],
      ['move users USER approved', ''],
    ],
    seeAlso: ['describe', 'change', 'play'],
  },
  objects: {
    about: ['The newest of them, oldest first; the first line leads to the page before.'],
    examples: [
      ['objects items', 'the newest 200'],
      ['objects items --state completed --limit 1000', 'of the newest 1000, those in a state'],
      ['objects users --id buyer --json', 'those whose id begins so, for a script'],
    ],
    seeAlso: ['show', 'describe', 'create'],
  },
  describe: {
    about: [
      'Beside each field stands the section of the document that states it, or the reading by which it is taken.',
    ],
    examples: [
      ['describe items ITEM', ''],
      ['describe items ITEM --json', 'its states and moves, for a script'],
    ],
    seeAlso: ['show', 'move', 'readings'],
  },
}
