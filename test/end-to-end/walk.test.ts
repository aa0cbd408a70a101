import { beforeAll, expect, test } from 'vitest'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import { parseNotification } from '../../spec/parse-notification.ts'
import { duringFile } from '../support/lifetimes.ts'
import { documentedSteps, expectInSteps, PLAYS, summary } from '../support/payment-summaries.ts'
import { startWalk } from '../support/walk.ts'

const walk = duringFile(startWalk)

beforeAll(async () => {
  for (const generation of ['webhooks', 'callbacks'] as const)
    for (const object_type of DELIVERY.object_types[generation].value) {
      const body = { url: walk.urlFor(generation, object_type), object_type }
      expect((await walk.service('POST', `/${generation}`, body)).status).toBe(201)
    }
})

test.each(PLAYS)(
  'the notifications of a payment %s with outcome %s arrive as documented in both generations',
  async (kind, outcome) => {
    const before = walk.received.length

    const played = await walk.bench('POST', '/payments', { kind, outcome, amount: 4_200 })
    await walk.bench('POST', '/clock/advance', { by: '0s' })

    expect(played.status).toBe(201)
    const steps = documentedSteps(kind, outcome)
    const types = new Set(steps.flat().map((line) => line.split(' ')[0]))
    for (const generation of ['webhooks', 'callbacks']) {
      const arrived = walk.received
        .slice(before)
        .filter((one) => one.generation === generation && types.has(one.object_type))
        .map(({ object_type, body }) => summary(object_type, body[object_type] ?? body))
      const isSent = (line: string) => generation === 'webhooks' || !line.startsWith('virtual_accounts')
      expectInSteps(
        arrived,
        steps.map((lines) => lines.filter(isSent)),
      )
    }
    for (const { body } of walk.received.slice(before)) expect(parseNotification(body).ok).toBe(true)
  },
)

test('webhooks and callbacks for one object type succeed and fail independently, even after a restart', async () => {
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
