import { expect, test } from 'vitest'
import { useWorkshop } from '../support/workshop.ts'

const shop = useWorkshop()

test('the command "ready" reports the sandbox of the data folder, and the command "down" stops this sandbox', async () => {
  const up = await shop.up()
  const other = await shop.up('--memory', '--data', 'other')

  const { service_url, bench_url } = up.ready
  const ready = await shop.json('ready')
  const stopped = await shop.run('down')
  const again = await shop.run('down')
  const answers = await shop.run('clock', '--data', 'other')

  expect(ready).toMatchObject({ status: 'ready', ready: true, service_url, bench_url })
  expect(stopped).toEqual({ code: 0, stdout: `Stopped the sandbox of process ${up.pid}\n`, stderr: '' })
  expect(await up.event({ event: 'stopped' })).toEqual({ event: 'stopped' })
  expect(again).toEqual({ code: 0, stdout: 'No sandbox runs on data folder ".hookbench"\n', stderr: '' })
  expect(answers.code).toBe(0)
  expect(await shop.json('down', '--data', 'other')).toEqual({ stopped: true, pid: other.pid })
})
