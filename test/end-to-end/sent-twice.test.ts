import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { noRedirect } from '../../contracts/checks/http/answers.ts'
import type { JobDetail, JobPage } from '../../spec/generated/control-types.ts'
import { judged } from '../support/judged-receiver.ts'
import { openWorkshop } from '../support/program.ts'
import { onRequest } from '../support/scripted-server.ts'
import { tlsServer } from '../support/transport.ts'

const OK = 'HTTP/1.1 204 No Content\r\n\r\n'

/** Answers the first delivery on each connection, and drops the connection at the second. */
const dropping = onRequest((socket, { number }) => (number === 1 ? socket.write(OK) : socket.end()))

test('a job tells of a delivery that went out twice, since the kept connection ended without an answer', async () => {
  const shop = openWorkshop()
  onTestFinished(() => shop.close())
  await shop.up('--clock', 'manual')
  await shop.run('cert', 'localhost')
  const pem = (name: string) => readFileSync(join(shop.folder, name), 'utf8')
  const { url } = await tlsServer({ cert: pem('localhost.crt.pem'), key: pem('localhost.key.pem') }, dropping)
  await shop.run('register', url, '--type', 'items')
  // Both in one command: a connection is not kept for long while a busy machine starts another.
  await shop.run('play', 'card-payin', '--pace', 'instant')
  await shop.run('settle')

  const { jobs } = await shop.json<JobPage>('jobs')
  const details = await Promise.all(jobs.map(({ id }) => shop.json<JobDetail>('job', id)))
  const twice = details.find(({ attempts }) => attempts[0]?.flags.includes('connection_retried'))
  const { stdout } = await shop.run('job', twice?.job.id ?? 'none')

  expect(twice?.attempts).toMatchObject([{ status: 204, flags: ['connection_retried'] }])
  expect(stdout).toContain('(sent twice, since the kept connection ended without an answer)')
})

test('a run tells of a delivery that went out twice, since the kept connection ended without an answer', async () => {
  const { results } = await judged({
    checks: [noRedirect],
    async start({ cert, key }) {
      const server = await tlsServer({ cert, key }, dropping)
      const template = `${server.url}/{object_type}`
      return {
        webhooks: template,
        callbacks: template,
        effects: '',
        core: { readEffects: () => ({ effects: 0, state: null }) },
        close: () => Promise.resolve(),
      }
    },
  })

  const events = results.flatMap((result) => result.events)
  const flagged = events.flatMap((event) =>
    event.kind === 'sent' && event.exchange.flags.includes('connection_retried')
      ? [event.exchange.label]
      : [],
  )
  const told = events.flatMap((event) => (event.kind === 'world' ? [event.text] : []))
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed'])
  expect(flagged).not.toEqual([])
  expect(told).toEqual(
    expect.arrayContaining(
      flagged.map(
        (label) => `${label} was answered 204, sent twice, since the kept connection ended without an answer`,
      ),
    ),
  )
})
