import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRunOptions } from '../../../contracts/config/run-options.ts'
import { openService } from '../../../contracts/run/service.ts'
import { startWalk } from '../../support/walk.ts'
import { callAt } from '../../support/world-client.ts'
import { context } from '../support/config-context.ts'

interface Bench {
  readonly url: string
  readonly token: string
}

/** Starts a run without the sandbox's data folder. */
const begin = (bench: Bench, world: string) =>
  openService(
    createRunOptions(
      {
        receiver: { url: 'https://localhost:1/{object_type}', callsBack: false },
        service: { attach: true, world },
        data: join(import.meta.dirname, 'no-such-folder'),
      },
      { ...context, findBench: () => bench },
    ),
  )

async function compete(first: Bench, second: Bench): Promise<void> {
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${first.token}`, 'hookbench-world': 'staging' }
    return (await callAt(`${first.url}/control${path}`, { method, body, headers })).body
  }
  const items = async (): Promise<string[]> =>
    (await call('GET', '/objects/items')).objects.map(({ id }: { id: string }) => id)
  const headers = { authorization: `Bearer ${first.token}` }
  await callAt(`${first.url}/control/worlds`, { method: 'POST', body: { name: 'staging' }, headers })
  await call('POST', '/objects/items', { name: 'Sofa' })
  const before = await items()
  const a = await begin(first, 'staging')
  const { id } = await a.perform('createObject', { path: { type: 'items' }, body: {} })

  await expect(begin(second, 'staging')).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringMatching(/^Cannot begin: a run on \S+ has used this world since 20/),
  })
  const during = await items()
  await a.close()
  const b = await begin(second, 'staging')
  await b.close()

  expect([during, await items()]).toEqual([[id], before])
}

test('a remote sandbox rejects a second run in the same world, and the world is restored', async () => {
  const walk = await startWalk()
  onTestFinished(() => walk.close())
  const bench = { url: walk.sandbox.benchUrl, token: 'a-token-of-the-run' }

  await compete(bench, bench)
})
