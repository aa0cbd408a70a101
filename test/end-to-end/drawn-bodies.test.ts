import { sample } from 'fast-check'
import { expect, test } from 'vitest'
import { notificationsOf } from '../../spec/arbitraries.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { VARIANTS, problemsOf, variantOf } from '../spec/document-problems.ts'

const DRAWN = 10_000

test.each(notifiedTypes)(
  '10,000 generated bodies of %s match the service document in every kind and state',
  (type) => {
    const bodies = sample<object>(notificationsOf(type), { numRuns: DRAWN })
    const wrong = bodies.flatMap((body) => {
      const problems = problemsOf(type, body)
      return problems.length > 0 ? [{ problems, body }] : []
    })
    const variants = new Set(bodies.map((body) => variantOf(type, body)))

    expect(wrong.slice(0, 3)).toEqual([])
    expect(bodies.length).toBe(DRAWN)
    expect([...variants].toSorted()).toEqual((VARIANTS[type] ?? ['']).toSorted())
  },
)
