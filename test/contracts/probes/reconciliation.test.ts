import { expect, onTestFinished, test } from 'vitest'
import { openShell, runReconciliation } from '../../../contracts/probes/processes.ts'
import { serveHttp } from '../../support/scripted-server.ts'

const shell = openShell()

async function answering(status: number) {
  const methods: (string | undefined)[] = []
  const { origin, close } = await serveHttp(({ method }, response) => {
    methods.push(method)
    response.writeHead(status).end('no access')
  })
  onTestFinished(close)
  return { url: `${origin}/reconcile`, methods }
}

test('the reconciliation posts to the platform and waits for the response', async () => {
  const { url, methods } = await answering(204)

  expect(await runReconciliation({ kind: 'http', url }, shell)).toBeUndefined()
  expect(methods).toEqual(['POST'])
})

test('the reconciliation reports the text of an error response', async () => {
  const { url } = await answering(403)

  expect(await runReconciliation({ kind: 'http', url }, shell)).toBe(
    `reconcile.http ${url} answered 403: no access`,
  )
})

test('the reconciliation by command waits for the end of the command and reports a failed command', async () => {
  expect(await runReconciliation({ kind: 'command', command: 'true' }, shell)).toBeUndefined()
  expect(await runReconciliation({ kind: 'command', command: 'echo no token; exit 1' }, shell)).toBe(
    'Cannot run reconcile.command "echo no token; exit 1": the command ended with code 1, with the output: no token. Let the command end with code 0',
  )
})
