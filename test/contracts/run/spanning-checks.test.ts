import { expect, test } from 'vitest'
import { PASSED } from '../../../contracts/finding.ts'
import { createSpanningChecks, planChecks } from '../../../contracts/run/select.ts'
import { buildCheck, buildResult } from '../support/run-results.ts'

const check = buildCheck('idempotency/late-repetition', { spansRun: true })

/** Starts a spanning check and records its steps. A spanning check waits for the end of the other checks. */
function watchedRun() {
  const notes: string[] = []
  const spanning = createSpanningChecks(async (_, untilEnd) => {
    notes.push('first half')
    await untilEnd()
    notes.push('second half')
    return buildResult(PASSED)
  })
  return { notes, spanning }
}

test('a spanning check pauses after its first half until the end of the run', async () => {
  const { notes, spanning } = watchedRun()

  await spanning.begin(check)
  notes.push('others')
  const result = await spanning.end(check)

  expect(notes).toEqual(['first half', 'others', 'second half'])
  expect(result.verdict).toBe('passed')
})

test('exclusive checks run after concurrent checks, and spanning checks end last', () => {
  const alone = buildCheck('recovery/kill-after-answer', { alone: true })
  const other = buildCheck('http/answers-in-time')

  expect(planChecks([check, alone, other])).toEqual({ first: [other], alone: [alone], last: [check] })
})

test('slow checks start before faster checks', () => {
  const quick = buildCheck('http/answers-in-time')
  const long = buildCheck('trust/slow-show', { takesLong: true })

  expect(planChecks([quick, long]).first).toEqual([long, quick])
})
