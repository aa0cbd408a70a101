import { expect, test } from 'vitest'
import { judgeSession } from '../proofs/kill-points/session.ts'

test('a process that is killed under load, in an advance, a restore and a reset loses nothing, and sends nothing twice without need', async () => {
  expect(await judgeSession(0)).toEqual([])
})
