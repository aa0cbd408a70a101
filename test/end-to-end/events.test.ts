import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Event } from '../../spec/generated/control-types.ts'
import { startWalk, type Walk } from '../support/walk.ts'

let walk: Walk

beforeAll(async () => {
  walk = await startWalk()
})

afterAll(() => walk.close())

interface Followed {
  readonly events: Event[]
  arrived(count: number): Promise<void>
  cut(): void
}

async function follow(after?: string): Promise<Followed> {
  const headers = {
    authorization: 'Bearer a-token-of-the-run',
    ...(after === undefined ? {} : { 'last-event-id': after }),
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${walk.sandbox.benchUrl}/control/events`, { headers, agent: false }, resolve)
      .on('error', reject)
      .end()
  })
  const events: Event[] = []
  const waiting = new Set<() => void>()
  let text = ''
  response.on('error', () => undefined)
  response.on('data', (part: Buffer) => {
    text += part.toString()
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.+)$/m.exec(block)?.[1]
      if (data !== undefined) events.push(JSON.parse(data) as Event)
    }
    for (const look of waiting) look()
  })
  return {
    events,
    arrived: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (events.length >= count) resolve()
        }
        waiting.add(look)
        look()
      }),
    cut: () => response.socket.resetAndDestroy(),
  }
}

const makeItems = async (count: number) => {
  for (let index = 0; index < count; index++) await walk.bench('POST', '/objects/items', {})
}

test('a cut stream continues without loss or repetition', async () => {
  const whole = await follow('0')
  const cut = await follow('0')
  const making = makeItems(20)
  await cut.arrived(17)
  cut.cut()
  const seen = cut.events.slice()
  await making

  const rest = await follow(seen.at(-1)?.id)
  await whole.arrived(60)
  await rest.arrived(60 - seen.length)

  expect([...seen, ...rest.events]).toEqual(whole.events)
  expect(new Set(whole.events.map(({ id }) => id)).size).toBe(60)
  for (const one of [whole, rest]) one.cut()
})

test('a stream continues after a restart with a gap and the later events', async () => {
  const before = await follow('0')
  await before.arrived(1)
  const { id } = before.events[0] ?? { id: '' }
  before.cut()
  await walk.restart()

  const after = await follow(id)
  await walk.bench('POST', '/faults', { on: 'api', kind: 'hang', match: { path: '/never' } })
  await after.arrived(2)

  expect(after.events.map(({ type }) => type)).toEqual(['gap', 'fault'])
  expect(after.events[0]?.data).toMatchObject({ after: id })
  after.cut()
})
