import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Health, JobPage, ObjectRecord } from '../../spec/generated/control-types.ts'
import { injectFailure, mountSmallDisk, type SmallDisk } from './disks.ts'
import type { Receiver, Up } from '../support/program.ts'
import { useWorkshop } from '../support/workshop.ts'

// These tests cause real faults: a small disk, and failing system calls. The unit tests use a simulated log.

type Workshop = ReturnType<typeof useWorkshop>

function smallDisk(shop: Workshop, kilobytes: number): SmallDisk {
  const disk = mountSmallDisk(join(shop.folder, 'disk'), kilobytes)
  onTestFinished(() => disk.unmount())
  return disk
}

function createBench(up: Up, shop: Workshop, data = '.hookbench') {
  const token = readFileSync(join(shop.folder, data, 'token'), 'utf8').trim()
  const url = `${String(up.ready['bench_url'])}/control`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    async create(): Promise<readonly unknown[]> {
      const answer = await fetch(`${url}/objects/items`, { method: 'POST', headers, body: '{}' })
      const { error } = (await answer.json()) as { readonly error?: { readonly code: string } }
      return error ? [answer.status, error.code] : [answer.status]
    },
    health: async (): Promise<Health> => (await (await fetch(`${url}/health`)).json()) as Health,
  }
}

async function registeredReceiver(shop: Workshop, data: string): Promise<Receiver> {
  const receiver = await shop.receiver(await shop.certificate('--data', data))
  await shop.run('register', receiver.url, '--type', 'items', '--data', data)
  return receiver
}

test(
  'a sandbox rejects changes and sends nothing while the disk is full, and recovers afterwards',
  { tags: 'small-disk' },
  async () => {
    const shop = useWorkshop()
    const disk = smallDisk(shop, 1_500)
    const data = 'disk/data'
    const up = await shop.up('--data', data)
    const receiver = await registeredReceiver(shop, data)
    const bench = createBench(up, shop, data)
    const makeRoom = disk.fill()

    const answers: (readonly unknown[])[] = []
    while (answers.at(-1)?.[0] !== 507) answers.push(await bench.create())
    for (let index = 0; index < 20; index++) answers.push(await bench.create())
    const meanwhile = await bench.health()
    const { code: unready } = await shop.run('ready', '--timeout', '300ms', '--data', data)
    makeRoom()
    const { code: ready } = await shop.run('ready', '--data', data)
    answers.push(await bench.create())
    await shop.run('settle', '--data', data)
    const { jobs } = await shop.json<JobPage>('jobs', '--data', data, '--limit', '200')
    const exit = await up.end('SIGTERM')
    const { stderr } = await up.ended()

    const created = answers.filter(([status]) => status === 201).length
    expect(answers.filter(([status]) => status !== 201)).toEqual(
      Array.from({ length: answers.length - created }, () => [507, 'storage_full']),
    )
    expect(meanwhile).toMatchObject({ ready: false, reason: expect.stringContaining('the disk is full') })
    expect([unready, ready, exit]).toEqual([3, 0, 0])
    // The first POST is the test POST.
    expect([jobs.length, receiver.received.length - 1]).toEqual([created, created])
    expect(new Set(jobs.map(({ status, attempts }) => `${status} ${attempts}`))).toEqual(
      new Set(['success 1']),
    )
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^hookbench: Cannot write store ".*": the disk is full\. The sandbox rejects changes/,
      ),
      expect.stringMatching(/^hookbench: The store is writable again/),
    ])
  },
)

test.each([
  ['the data folder is deleted', (folder: string) => rmSync(folder, { recursive: true })],
  ['the newest writes are deleted', (folder: string) => rmSync(join(folder, 'store.sqlite-wal'))],
])('the first affected change gets 507 and the command "up" exits with 4 when %s', async (_, remove) => {
  const shop = useWorkshop()
  const up = await shop.up()
  const bench = createBench(up, shop)
  const before = await bench.create()
  remove(join(shop.folder, '.hookbench'))

  const answer = await bench.create()
  const { code, stderr } = await up.ended()

  expect([before, answer, code]).toEqual([[201], [507, 'storage_gone'], 4])
  expect(JSON.parse(stderr).error.message).toMatch(
    /^Cannot write store ".*while the sandbox ran\. Start the sandbox again$/,
  )
})

test.each(['fdatasync:error=EIO', 'pwrite64:error=EIO'])(
  'a change gets 500 and the command "up" exits with 4 when the disk fails with %s',
  { tags: 'strace' },
  async (failure) => {
    const shop = useWorkshop()
    const up = await shop.up()
    const bench = createBench(up, shop)
    const { id } = await shop.json<ObjectRecord>('create', 'items')
    await injectFailure(up.pid ?? 0, failure)

    const answer = await bench.create()
    const { code, stderr } = await up.ended()
    const again = await shop.up()
    const shown = await shop.json<ObjectRecord>('show', 'items', id)
    await again.end('SIGTERM')

    expect([answer, code, shown.id]).toEqual([[500, 'internal'], 4, id])
    expect(JSON.parse(stderr).error.message).toMatch(/^Cannot write store ".*": the disk failed/)
  },
)
