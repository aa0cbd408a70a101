import { expect, test } from 'vitest'
import { failed, notObservable, PASSED } from '../../../contracts/finding.ts'
import { describeUnseenMusts, listSections } from '../../../contracts/report/sections.ts'
import type { CheckResult, RunResult } from '../../../contracts/run/run-result.ts'
import { buildCheck, buildResult, buildRun, missedConsequence } from '../support/run-results.ts'

const CARD = missedConsequence({
  isLookedFor: false,
  obstacle: 'no check of this run judges this kind of payment',
  isMissed: false,
})

const notObserved = (run: RunResult) =>
  listSections(run, []).find(({ kind }) => kind === 'not-observed')?.items ?? []

test('a configured payment that no check judged is listed as unobserved, even in a partial run', () => {
  const [group] = notObserved({ ...buildRun(buildResult(PASSED)), consequences: [CARD] })

  expect(group).toMatchObject({
    text: 'no check judged whether your platform acts once on a payment: no check of this run judges this kind of payment',
    names: ['card-payin (items completed)'],
  })
})

test('effects that a check observed are not listed as unobserved', () => {
  const check = buildCheck('idempotency/other-field-changed', { severity: 'must', needs: ['effects'] })
  const unseen = buildResult(notObservable('no calls'), {
    check: buildCheck('idempotency/failed-then-retried', { severity: 'must' }),
  })
  const seen = buildResult(failed('one effect', 'two', {}), { check })
  const title = (...results: readonly CheckResult[]) => {
    const run = buildRun(...results)
    return describeUnseenMusts(run, listSections(run, []))?.title
  }

  expect(title(unseen)).toBe('Not observed: 1 required check about double effects')
  expect(title(unseen, seen)).toBe('Not observed: 1 required check')
})
