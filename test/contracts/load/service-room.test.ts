import { expect, test } from 'vitest'
import { withServiceRoom } from '../../../contracts/load/run-load.ts'

test('a service of a long load has room beside memory, and one of a short load needs none', () => {
  const credentials = { client_id: 'c', client_secret: 's', email: 'e@example.test', api_token: 't' }
  const own = { kind: 'own', port: 0, data: '.hookbench', allowTargets: [], credentials } as const

  expect([50_000, 50_001].map((count) => withServiceRoom(own, count))).toEqual([
    { ...own, isLarge: false },
    { ...own, isLarge: true },
  ])
})
