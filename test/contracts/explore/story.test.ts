import { expect, test } from 'vitest'
import { listExchangeEvents } from '../../../contracts/explore/story.ts'
import { selectBranches } from '../../../contracts/toolkit/branches.ts'
import { careful } from '../support/careful.ts'
import { openContext } from '../support/check-context.ts'

const { branches } = selectBranches(await openContext({ receive: careful }), 'all')

test('listExchangeEvents() describes each delivery in words and each payment with its amount', () => {
  const story = listExchangeEvents(
    {
      people: [{ id: 'buyer-{n}' }],
      payments: [{ kind: 'npp-payin', outcome: 'successful', amount: 12_500, currency: 'AUD', person: 0 }],
      deliveries: [
        { of: 0, part: 0 },
        { of: 0, part: 0, together: true, callBack: 'unavailable-once' },
      ],
    },
    branches,
  )

  expect(story).toEqual([
    'Payment 1: npp-payin of AUD 125.00 by person 1, successful (user id "buyer-{n}")',
    'Send: transactions successful of payment 1',
    'Together with it: transactions successful of payment 1 (the service answers 503 once)',
  ])
})
