import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sendRawRequest } from '../../contracts/probes/raw-request.ts'
import type { JobPage } from '../../spec/generated/control-types.ts'
import { hasIpv6 } from '../support/ipv6.ts'
import { useWorkshop } from '../support/workshop.ts'
import { onRequest, openTlsServer } from '../support/scripted-server.ts'

test.skipIf(!hasIpv6)('the receiver at [::1] is registered, notified and probed', async () => {
  const shop = useWorkshop()
  await shop.up('--clock', 'manual')
  await shop.run('cert', '::1')
  const pem = (name: string) => readFileSync(join(shop.folder, name), 'utf8')
  const server = await openTlsServer(
    { cert: pem('::1.crt.pem'), key: pem('::1.key.pem') },
    onRequest((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n')),
    '::1',
  )
  onTestFinished(() => server.close())
  const url = `https://[::1]:${server.port}/notifications/7d1c`

  const registered = await shop.run('register', url, '--type', 'items')
  await shop.run('create', 'items')
  await shop.run('settle')

  const { jobs } = await shop.json<JobPage>('jobs')
  const ca = [pem('.hookbench/ca/ca.crt.pem')]
  const probed = await sendRawRequest({ method: 'POST', url, label: 'a probe', headers: {} }, ca)
  expect([registered.code, jobs.map(({ url: to, status }) => [to, status]), probed.status]).toEqual([
    0,
    [[url, 'success']],
    204,
  ])
})
