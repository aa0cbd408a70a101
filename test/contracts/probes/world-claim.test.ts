import { expect, onTestFinished, test, vi } from 'vitest'
import { claimWorld } from '../../../contracts/probes/attached-world.ts'
import type { Perform } from '../../../sandbox/compose/perform.ts'
import { createRuns } from '../../../sandbox/compose/runs.ts'
import { RefusedError } from '../../../sandbox/client/requests.ts'
import { ApiError } from '../../../sandbox/engine/core/api-error.ts'
import { manualTime } from '../../support/test-sandbox.ts'

function worldForRuns() {
  const time = manualTime()
  const open = () => createRuns(undefined, time, () => {})
  let runs = open()
  const calls: string[] = []

  function claimFor(name: string) {
    let isAway = false
    const ticks = new Set<() => void>()
    const perform = (async (id: string, input: { path: { id: string } }) => {
      if (isAway) throw new Error('Nothing answers')
      calls.push(`${name} ${id}`)
      try {
        if (id === 'claimWorld') return runs.claim(input.path.id, { by: `a run on ${name}` })
        if (id === 'releaseWorld') return runs.release(input.path.id)
        return {}
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        throw new RefusedError(error.message, { ...error.problems[0] })
      }
    }) as unknown as Perform
    const claimed = claimWorld(perform, {
      elapsed: time.elapsed,
      every(_, run) {
        ticks.add(run)
        return () => ticks.delete(run)
      },
    })
    return {
      claimed,
      perform,
      tick: () => ticks.forEach((run) => run()),
      leave: () => void (isAway = true),
      comeBack: () => void (isAway = false),
    }
  }

  /** Restarts the sandbox, so that claims in memory are lost. */
  const restart = () => void (runs = open())
  return { time, calls, claimFor, restart }
}

test('an active check run keeps its claim on the world, and a killed check run loses its claim', async () => {
  const { time, claimFor } = worldForRuns()
  const a = claimFor('a')
  await a.claimed
  for (let count = 0; count < 10; count++) {
    time.move(4_000)
    a.tick()
  }
  await expect(claimFor('b').claimed).rejects.toThrow('has used this world')
  time.move(15_000)

  await expect(claimFor('b').claimed).resolves.toMatchObject({})
})

test('a stalled run that lost its claim neither changes nor restores the world', async () => {
  const said: unknown[] = []
  vi.spyOn(console, 'error').mockImplementation((text) => void said.push(text))
  onTestFinished(() => void vi.restoreAllMocks())
  const { time, calls, claimFor } = worldForRuns()
  const a = claimFor('a')
  const claimed = await a.claimed
  time.move(60_000)
  await claimFor('b').claimed
  calls.length = 0

  await expect(claimed.guard(a.perform)('resetSandbox')).rejects.toMatchObject({
    name: 'UnreachableError',
    code: 'lost_world',
  })
  await claimed.end(() => expect.fail('It is put back'))

  expect(calls).toEqual(['a claimWorld'])
  expect(said).toEqual([
    expect.stringMatching(/^hookbench: Cannot restore the world: another run has claimed the world /),
  ])
})

test('a run renews its claim on the world after an outage or restart of the sandbox', async () => {
  const { time, claimFor, restart } = worldForRuns()
  const a = claimFor('a')
  const { guard } = await a.claimed
  a.leave()
  time.move(4_000)
  a.tick()
  restart()
  a.comeBack()
  time.move(20_000)
  await guard(a.perform)('resetSandbox')

  await expect(claimFor('b').claimed).rejects.toThrow('has used this world')
})
