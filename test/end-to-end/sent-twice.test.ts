import { expect, test } from 'vitest'
import type { JobDetail, JobPage } from '../../spec/generated/control-types.ts'
import { useWorkshop } from '../support/workshop.ts'
import { onRequest } from '../support/scripted-server.ts'
import { tlsServer } from '../support/transport.ts'

const OK = 'HTTP/1.1 204 No Content\r\n\r\n'

/** Answers the first delivery on each connection, and closes the connection at the second delivery. */
const dropping = onRequest((socket, { number }) => (number === 1 ? socket.write(OK) : socket.end()))

test('a job flags a delivery that was sent twice because a reused connection closed without a response', async () => {
  const shop = useWorkshop()
  await shop.up('--clock', 'manual')
  const { url } = await tlsServer(await shop.certificate(), dropping)
  await shop.run('register', url, '--type', 'items')
  // A single command triggers all deliveries. On a busy machine, the idle connection could close before a second command starts.
  await shop.run('play', 'card-payin', '--pace', 'instant')
  await shop.run('settle')

  const { jobs } = await shop.json<JobPage>('jobs')
  const details = await Promise.all(jobs.map(({ id }) => shop.json<JobDetail>('job', id)))
  const twice = details.find(({ attempts }) => attempts[0]?.flags.includes('connection_retried'))
  const { stdout } = await shop.run('job', twice?.job.id ?? 'none')

  expect(twice?.attempts).toMatchObject([{ status: 204, flags: ['connection_retried'] }])
  expect(stdout).toContain('(sent twice, because a reused connection ended without an answer)')
})
