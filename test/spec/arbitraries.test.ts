import { assert, property, sample } from 'fast-check'
import { expect, test } from 'vitest'
import { notificationsOf } from '../../spec/arbitraries.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { parseNotification } from '../../spec/parse-notification.ts'

test.each(notifiedTypes)('a thousand drawn bodies of %s are valid by the strict spec', (type) => {
  const isValid = (body: unknown) => {
    expect(parseNotification(body)).toMatchObject({ ok: true, type })
  }

  assert(property<[unknown]>(notificationsOf(type), isValid), { numRuns: 1_000 })
})

test('the same seed draws the same bodies', () => {
  const draw = (seed: number) => sample<unknown>(notificationsOf('transactions'), { numRuns: 20, seed })

  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})
