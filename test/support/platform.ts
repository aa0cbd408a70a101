import { notifiedTypes } from '../../spec/notifications.ts'
import { RECEIVER, testSandbox, type TestSandbox } from './test-sandbox.ts'

/** A sandbox with a webhook for every type. */
export interface Platform extends TestSandbox {
  /** Calls the service. Throws if the status is not as expected. */
  ok(method: string, path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>>
  bodies(): ReturnType<typeof JSON.parse>[]
  posted(): string[]
}

export async function platform(readings: Record<string, string> = {}): Promise<Platform> {
  const sandbox = testSandbox({ readings })
  for (const object_type of notifiedTypes)
    await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type })
  const bodies = () =>
    sandbox.transport.messages
      .slice(notifiedTypes.length)
      .map(({ body }) => JSON.parse(Buffer.from(body).toString()))
  return {
    ...sandbox,
    async ok(method, path, body) {
      const answer = await sandbox.call(method, path, body)
      await sandbox.idle()
      const isFine = answer.status < 300 && sandbox.errors.length === 0
      if (!isFine) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    bodies,
    posted: () =>
      bodies().map((body) => {
        const [[type, object] = ['', {}]]: [string, { state?: string }][] = Object.entries(body)
        return [type, object.state].filter(Boolean).join(' ')
      }),
  }
}

export const NEVE = {
  first_name: 'Neve',
  last_name: 'Byrne',
  email: 'neve@example.test',
  country: 'AUS',
  dob: '01/02/1990',
}
export const BANK = {
  bank_name: 'Bank of Examples',
  account_name: 'Neve Byrne',
  routing_number: '111123',
  account_number: '111234567',
  account_type: 'checking',
  holder_type: 'personal',
  country: 'AUS',
}
export const CARD = {
  full_name: 'Neve Byrne',
  number: '4111111111111111',
  expiry_month: '12',
  expiry_year: '2030',
  cvv: '123',
}

export async function sale(service: Platform) {
  const { users: buyer } = await service.ok('POST', '/users', { id: 'buyer-7.a@x', ...NEVE })
  const { users: seller } = await service.ok('POST', '/users', {
    ...NEVE,
    first_name: 'Samuel',
    last_name: 'Seed',
  })
  const { items: item } = await service.ok('POST', '/items', {
    name: 'Oak table',
    amount: 12_500,
    buyer_id: buyer.id,
    seller_id: seller.id,
  })
  return { buyer, seller, item }
}
