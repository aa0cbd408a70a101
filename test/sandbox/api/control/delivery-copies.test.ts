import { expect, test } from 'vitest'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'

test('what a job sent last is a command of curl, one of hookbench and a test', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', { name: "it's" })
  await sandbox.idle()
  const { jobs } = await sandbox.perform('listJobs', { query: {} })
  const id = jobs[0]?.id ?? ''

  const { curl, command, test: source } = await sandbox.perform('getJobCopies', { path: { id } })

  expect(curl).toContain(`--globoff ${RECEIVER}`)
  expect(curl).toContain("-H 'content-type: application/json'")
  expect(curl).toContain(String.raw`it'\''s`)
  expect(command).toBe(`npx hookbench deliver --job ${id}`)
  expect(source).toContain(`the receiver accepts items ${item.id}, pending`)
})

test('an edited delivery is copied as it would be sent, and is not sent', async () => {
  const sandbox = testSandbox()
  const registration = await sandbox.register()
  const posted = sandbox.transport.messages.length

  const { status, body } = await sandbox.control('POST', '/delivery-copies', {
    registration,
    raw: '{"a":1}',
    headers: { 'x-a': 'b' },
    times: 2,
  })

  expect([status, sandbox.transport.messages.length]).toEqual([200, posted])
  expect(body.command.replaceAll(' \\\n  ', ' ')).toBe(
    `npx hookbench deliver --registration ${registration} --raw '{"a":1}' -H 'x-a: b' --times 2`,
  )
  expect(body.curl).toContain("-H 'x-a: b'")
  expect(body.curl).toContain('user-agent: Hookbench-Delivery')
})

test('a registration that is not there, and a header that cannot be sent, are refused as a delivery of them is', async () => {
  const sandbox = testSandbox()
  const registration = await sandbox.register()
  const ask = (asked: object) => sandbox.control('POST', '/delivery-copies', { raw: '', ...asked })

  const answers = [
    await ask({ registration: 'nobody' }),
    await ask({ registration, headers: { host: 'x' } }),
    await ask({ registration, signed: true }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([404, 422, 422])
})
