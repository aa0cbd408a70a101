import { faultKinds, type FaultPlace } from '../../../spec/faults.ts'
import { CONTENT_HELP } from '../content-options.ts'
import { MATCH_HELP } from '../fault-options.ts'
import type { Manuals, ManualSection } from './manual.ts'

const TITLES: { readonly [Place in FaultPlace]: string } = {
  delivery: 'Of notifications on their way to you.',
  api: 'Of calls that you make.',
}

/** Every kind of fault, with the options that it takes. */
const KINDS: readonly ManualSection[] = (['delivery', 'api'] as const).map((on) => ({
  heading: `Kinds on ${on}`,
  about: [TITLES[on]],
  rows: Object.entries(faultKinds[on]).map(([kind, { about, takes }]) => {
    const options = takes.map((name) => `--${name.replace(/_ms$/, '').replaceAll('_', '-')}`)
    return [kind, options.length === 0 ? about : `${about} ${options.join(', ')}`] as const
  }),
}))

export const FAULT_MANUALS: Manuals = {
  faults: {
    about: ['Without a command it lists the faults, those that are used up included.'],
    examples: [
      ['faults', 'what goes wrong at present'],
      ['faults add delivery duplicate --match object_type=items --times 1', 'the next item comes twice'],
      ['faults clear', 'nothing goes wrong any more'],
    ],
    seeAlso: ['faults add', 'next-outcome', 'rehearse'],
  },
  'faults add': {
    about: [`For --body, ${CONTENT_HELP}.`],
    sections: [
      ...KINDS,
      {
        heading: 'Match',
        about: [MATCH_HELP, 'Everything given must hold; a fault without a match applies to everything.'],
      },
    ],
    examples: [
      ['faults add delivery duplicate --match object_type=items --times 1', 'once, twice over'],
      ['faults add delivery lost-answer --match object_type=items attempt=1', 'each first attempt'],
      ['faults add delivery altered-body --set /items/amount=1 --probability 0.2 --seed 7', 'one in five'],
      ['faults add api status --status 503 --match operation=showItem --times 3', 'to calls of yours'],
      ['faults add api stale-show --revisions-back 1', 'a Show that lags behind'],
    ],
    seeAlso: ['faults kinds', 'faults remove', 'settle'],
  },
  'faults kinds': {
    examples: [
      ['faults kinds', 'with the options that each takes'],
      ['faults kinds --json', 'for a script'],
    ],
    seeAlso: ['faults add'],
  },
  'faults remove': {
    examples: [
      ['faults remove FAULT', 'its id, or the beginning of it'],
      ['faults remove FAULT --json', 'how often it applied, for a script'],
    ],
    seeAlso: ['faults', 'faults clear'],
  },
  'faults clear': {
    examples: [
      ['faults clear', ''],
      ['faults clear --json', 'what was removed, for a script'],
    ],
    seeAlso: ['faults remove', 'reset'],
  },
}
