import { expect, test } from 'vitest'
import { duringFile } from '../support/lifetimes.ts'
import { openStoredSandbox, rawCall } from '../support/stored-sandbox.ts'

const sandbox = duringFile(openStoredSandbox)

test.each([
  ['its own address', [], 200],
  ['localhost', ['Host: localhost:PORT'], 200],
  ['its own origin', ['Origin: http://HOST'], 200],
  ['a same-origin fetch', ['Sec-Fetch-Site: same-origin'], 200],
  ['another host name with the port', ['Host: evil.test:PORT'], 403],
  ['its name without the port', ['Host: localhost'], 403],
  ['its origin over https', ['Origin: https://HOST'], 403],
])('the control API accepts or rejects a request with %s', async (_, headers, status) => {
  const { port } = new URL(sandbox.benchUrl)
  const sent = headers.map((header) => header.replace('PORT', port))

  expect(
    await rawCall(sandbox.benchUrl, { method: 'GET', path: '/control/health', headers: sent }),
  ).toMatchObject({ status })
})
