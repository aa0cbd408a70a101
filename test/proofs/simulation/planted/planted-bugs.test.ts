import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { INVARIANTS } from '../invariants/invariants.ts'
import { VARIANTS } from '../variants.ts'
import { catchBug, PLANTED_BUGS } from './catch-bug.ts'

/** Planted bugs that are found quickly. `npm run sim -- --planted` tests all bugs. */
const SHOWN_SOON: Readonly<Record<string, string>> = {
  'job-dropped': 'I-job',
  'job-apart': 'I-atomic',
  'acknowledged-before-commit': 'I-atomic',
  'second-enabled': 'I-oneenabled',
  'number-twice': 'I-count',
  'interruption-forgotten': 'I-count',
  'body-other-bytes': 'I-body',
  'schedule-off-by-one': 'I-schedule',
  'due-lost-at-restart': 'I-noloss',
  'objects-at-once': 'I-order',
  'retried-when-disabled': 'I-stop',
  'sent-twice': 'I-dupbound',
  'test-post-skipped': 'I-testpost',
  'clock-back-at-restart': 'I-clock',
  'refusal-recorded': 'I-reject',
}

test.each(Object.entries(SHOWN_SOON))(
  'the simulation finds the planted bug %s through the invariant %s',
  async (id, invariant) => {
    const bug = PLANTED_BUGS.find((each) => each.id === id)
    const caught = bug && (await catchBug(bug, 60, invariant))

    expect(caught?.invariants).toContain(invariant)
  },
)

test('a sandbox without a bug violates no invariant', async () => {
  expect(await catchBug({ id: 'none', about: 'Nothing is changed.', plant: {} }, 10)).toBeUndefined()
})

test('the simulation page names every planted bug and every invariant', () => {
  const page = readFileSync(new URL('../planted-bugs.md', import.meta.url), 'utf8')
  const bugs = PLANTED_BUGS.map(({ id }) => `\`${id}\``)
  const invariants = [...INVARIANTS, ...VARIANTS].map(({ id }) => `| ${id} `)

  expect([...bugs, ...invariants].filter((each) => !page.includes(each))).toEqual([])
})
