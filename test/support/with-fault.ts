import { tokenOf } from './requests.ts'
import { testSandbox } from './test-sandbox.ts'

/** A sandbox with an item of three revisions, and a fault of the API. */
export async function withFault(fault: object, readings: Record<string, string> = {}) {
  const sandbox = testSandbox({ readings })
  const { body: first } = await sandbox.control('POST', '/objects/items', { amount: 100 })
  const { body: second } = await sandbox.control('PATCH', `/objects/items/${first.id}`, { amount: 200 })
  const { body: third } = await sandbox.control('PATCH', `/objects/items/${first.id}`, { amount: 300 })
  const { status, body } = await sandbox.control('POST', '/faults', { on: 'api', ...fault })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const token = await tokenOf(sandbox)
  const ask = (
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ) =>
    sandbox.service(
      new Request(`http://service.test${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      }),
    )
  const revisions = [first, second, third].map(({ object }) => ({ items: object }))
  return { ...sandbox, fault: body.id, path: `/items/${first.id}`, revisions, ask }
}
