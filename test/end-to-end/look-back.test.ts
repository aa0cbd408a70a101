import { expect, test } from 'vitest'
import { useWorkshop } from '../support/workshop.ts'

const shop = useWorkshop()

interface Shown {
  readonly id: string
  readonly object: { readonly amount: number }
}

test('the option --at shows past objects and calls, and reports after a restart that earlier calls are unknown', async () => {
  const up = await shop.up('--clock', 'manual')
  const { now } = await shop.json<{ readonly now: string }>('clock')
  const { id } = await shop.json<Shown>('create', 'items', 'amount=1200')
  await shop.run('advance', '10m')
  await shop.run('change', 'items', id, 'amount=1300')
  await fetch(`${String(up.ready['service_url'])}/items/${id}`)

  const then = await shop.json<Shown>('show', 'items', id, '--at', now)
  const calls = await shop.json<{ readonly requests: readonly unknown[] }>('requests', '--at', now)
  const early = await shop.run('payments', '--at', 'yesterday')

  expect(then.object.amount).toBe(1_200)
  expect(calls.requests).toEqual([])
  expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('Cannot look back to "yesterday"')])

  await up.end('SIGTERM')
  await shop.up()
  const { stdout } = await shop.run('requests', '--at', now)
  expect(stdout).toMatch(/No calls\nThe sandbox stores only the calls since \S+\. Earlier calls are unknown/)
})
