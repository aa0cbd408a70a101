import { expect, test } from 'vitest'
import { withServiceRoom } from '../../../contracts/load/run-load.ts'

test('a long load keeps its service on disk, a short one in memory', () => {
  const credentials = { client_id: 'c', client_secret: 's', email: 'e@example.test', api_token: 't' }
  const own = { kind: 'own', port: 0, data: '.hookbench', allowTargets: [], credentials } as const

  expect([50_000, 50_001].map((count) => withServiceRoom(own, count))).toEqual([
    { ...own, isLarge: false },
    { ...own, isLarge: true },
  ])
})
