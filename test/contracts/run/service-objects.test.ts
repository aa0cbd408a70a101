import { expect, test } from 'vitest'
import type { ServiceObjectsPorts } from '../../../contracts/run/payment-play.ts'
import { createExchangeLog } from '../../../contracts/run/run-result.ts'
import { createSeeds } from '../../../contracts/run/seeds.ts'
import { createServiceObjects } from '../../../contracts/run/service-objects.ts'

function serviceWithFaults(): {
  readonly kinds: () => readonly string[]
  readonly ports: ServiceObjectsPorts
} {
  const faults = new Map<string, string>()
  const perform = async (operation: string, input: { body?: { kind: string }; path?: { id: string } }) => {
    if (operation === 'removeFault') return faults.delete(input.path?.id ?? '')
    const id = String(faults.size)
    faults.set(id, input.body?.kind ?? '')
    return { id }
  }
  const ports = {
    service: { perform },
    urls: { types: () => [], url: () => '' },
    seeds: createSeeds(1, 'faults'),
    log: createExchangeLog(() => 0),
    consequences: {},
    onMade: () => {},
  } as unknown as ServiceObjectsPorts
  return { kinds: () => [...faults.values()], ports }
}

test('createServiceObjects() keeps a modified Show response after close() and removes the response at forget()', async () => {
  const { kinds, ports } = serviceWithFaults()
  const { disturb, close, forget } = createServiceObjects(ports)
  const object = { type: 'items', id: 'one' } as const
  await disturb(object, { kind: 'modified-show', body: {} })
  await disturb(object, { kind: 'status', status: 503 })

  await close()
  const closed = kinds()
  await forget()

  expect([closed, kinds()]).toEqual([['modified-show'], []])
})
