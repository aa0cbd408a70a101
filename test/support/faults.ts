import type { Fault } from '../../spec/generated/control-types.ts'
import { registeredSandbox, type TestSandbox, testSandbox } from './test-sandbox.ts'
import { tokenOf } from './requests.ts'

export async function addFault(sandbox: TestSandbox, fault: object): Promise<Fault> {
  const { status, body } = await sandbox.control('POST', '/faults', fault)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

/** Returns a sandbox with a webhook for items, a scripted receiver and a delivery fault. */
export async function withDeliveryFault(
  fault: object,
  script?: Parameters<typeof registeredSandbox>[0],
): Promise<TestSandbox & { readonly fault: string }> {
  const sandbox = await registeredSandbox(script)
  const { id } = await addFault(sandbox, { on: 'delivery', ...fault })
  return { ...sandbox, fault: id }
}

/** Returns how many times each fault matched and how many times it was applied. */
export async function faultCounts({ control }: TestSandbox): Promise<readonly (readonly number[])[]> {
  const { body } = await control('GET', '/faults')
  return body.faults.map(({ matched, applied }: Fault) => [matched, applied])
}

export async function withApiFault(fault: object, readings: Record<string, string> = {}) {
  const sandbox = testSandbox({ readings })
  const { body: first } = await sandbox.control('POST', '/objects/items', { amount: 100 })
  const { body: second } = await sandbox.control('PATCH', `/objects/items/${first.id}`, { amount: 200 })
  const { body: third } = await sandbox.control('PATCH', `/objects/items/${first.id}`, { amount: 300 })
  const { id } = await addFault(sandbox, { on: 'api', ...fault })
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
  return { ...sandbox, fault: id, path: `/items/${first.id}`, revisions, ask }
}
