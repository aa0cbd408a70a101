import { beforeAll, expect, test } from 'vitest'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import { paymentOutcomes, paymentKinds, paymentSteps } from '../../spec/payments.ts'
import { parseNotification } from '../../spec/parse-notification.ts'
import { duringFile } from '../support/lifetimes.ts'
import { startWalk, type Received } from '../support/walk.ts'

const walk = duringFile(startWalk)

beforeAll(async () => {
  for (const generation of ['webhooks', 'callbacks'] as const)
    for (const object_type of DELIVERY.object_types[generation].value) {
      const body = { url: walk.urlFor(generation, object_type), object_type }
      expect((await walk.service('POST', `/${generation}`, body)).status).toBe(201)
    }
})

function line({ object_type, body }: Received): string {
  const object = body[object_type] ?? body
  return [object_type, object.type, object.type_method, object.state ?? object.event]
    .filter(Boolean)
    .join(' ')
}

const plays = paymentKinds.flatMap((kind) => paymentOutcomes(kind).map((outcome) => [kind, outcome] as const))

test.each(plays)(
  'a payment %s with outcome %s arrives as documented in both generations',
  async (kind, outcome) => {
    const before = walk.received.length

    const played = await walk.bench('POST', '/payments', { kind, outcome, amount: 4_200 })
    await walk.bench('POST', '/clock/advance', { by: '0s' })

    expect(played.status).toBe(201)
    const steps = paymentSteps(kind, outcome)
    const types = new Set<string>(steps.flat().map(({ object }) => object))
    for (const generation of ['webhooks', 'callbacks']) {
      const arrived = walk.received
        .slice(before)
        .filter((one) => one.generation === generation && types.has(one.object_type))
        .map(line)
      const expected = steps.map((notifications) =>
        notifications
          .filter(({ object }) => generation === 'webhooks' || object !== 'virtual_accounts')
          .map(({ object, type, type_method, state }) =>
            [object, type, type_method, object === 'virtual_accounts' ? 'status_updated' : state]
              .filter(Boolean)
              .join(' '),
          )
          .toSorted(),
      )
      expect(expected.map(({ length }) => arrived.splice(0, length).toSorted())).toEqual(expected)
      expect(arrived).toEqual([])
    }
    for (const { body } of walk.received.slice(before)) expect(parseNotification(body).ok).toBe(true)
  },
)

test('webhooks and callbacks of one type succeed and fail independently, even through a restart', async () => {
  walk.answer(({ generation }) => (generation === 'webhooks' ? 503 : 204))
  const { body } = await walk.bench('POST', '/objects/items', { name: 'Watched' })
  await walk.bench('POST', '/clock/advance', { by: '30m' })
  await walk.restart()
  walk.answer(() => 204)
  await walk.bench('POST', '/clock/advance', { by: '24h' })

  const seen = walk.received
    .filter(({ body: sent }) => sent.items?.id === body.id)
    .map(({ generation }) => generation)
  const jobs = await walk.bench('GET', `/jobs?object_id=${body.id}`)

  expect(seen.toSorted()).toEqual(['callbacks', 'webhooks', 'webhooks', 'webhooks', 'webhooks'])
  expect(
    jobs.body.jobs.map((job: Record<string, unknown>) => [job['generation'], job['status'], job['attempts']]),
  ).toEqual([
    ['webhooks', 'success', 4],
    ['callbacks', 'success', 1],
  ])
})
