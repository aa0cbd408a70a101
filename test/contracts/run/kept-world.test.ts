import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepWorld } from '../../../contracts/probes/attached-world.ts'
import type { AttachedService } from '../../../contracts/toolkit/options.ts'
import type { ServeOptions } from '../../../sandbox/compose/serve-options.ts'
import { startWalk } from '../../support/walk.ts'
import { addWorld } from '../../support/world-client.ts'
import { attachedService } from '../support/run-options.ts'

async function start(options: Partial<ServeOptions> = {}) {
  const walk = await startWalk(options)
  onTestFinished(() => walk.close())
  const { benchUrl: bench_url, serviceUrl: service_url } = walk.sandbox
  writeFileSync(join(walk.folder, 'run.json'), JSON.stringify({ bench_url, service_url }))
  const attach = (chosen: Partial<AttachedService>) =>
    attachedService({ url: bench_url, token: walk.token, data: walk.folder, ...chosen })
  const kept = () =>
    readdirSync(walk.folder, { encoding: 'utf8', recursive: true }).filter((path) =>
      path.includes('before-check'),
    )
  const add = (name: string) => addWorld(walk, { name })
  return { walk, attach, kept, add }
}

const STORES = [
  ['with a data folder', {}],
  ['in memory', { storePath: undefined, worldsFolder: undefined }],
] as const

test.each(STORES)(
  'the snapshot of a killed run %s does not affect a later world with the same name',
  async (_, options) => {
    const { walk, attach, kept, add } = await start(options)
    const anna = attach({ world: 'anna' })
    await add('anna')
    await add('anna-2')
    await keepWorld(attach({ world: 'anna-2' }))
    await keepWorld(anna)
    const begun = kept().length
    await expect(keepWorld(anna)).rejects.toThrow(/Restore the world with "npx hookbench snapshot restore /)
    await walk.bench('DELETE', '/worlds/anna')
    await add('anna')

    const { putBack } = await keepWorld(anna)
    const again = kept().length
    await putBack()

    expect([begun, again, kept().length]).toEqual([2, 2, 1])
  },
)

test('the saved snapshot of a killed run is removed when its world is removed', async () => {
  const { walk, attach, kept, add } = await start()
  await add('anna')
  await keepWorld(attach({ world: 'anna' }))

  await walk.bench('DELETE', '/worlds/anna')

  expect(kept()).toEqual([])
})

test('a run restores the world that its token selects, not the default world', async () => {
  const { attach, add } = await start()
  const anna = await add('anna')
  await keepWorld(attach({ token: anna.access.control_token }))

  await expect(keepWorld(attach({ world: 'anna' }))).rejects.toThrow(/^Cannot use the sandbox: /)
  await expect(keepWorld(attach({ world: 'default' }))).resolves.toMatchObject({})
})
