/** A call that must be refused, and change nothing. */
interface RefusedCall {
  readonly listener: 'service' | 'bench'
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const register = (url: string, object_type = 'items'): RefusedCall => ({
  listener: 'service',
  method: 'POST',
  path: '/webhooks',
  body: { url, object_type },
})

export const REFUSED_CALLS: readonly RefusedCall[] = [
  register('http://localhost:9443/plain'),
  register('https://receiver.example/elsewhere'),
  register('https://169.254.169.254/latest'),
  register('https://localhost:4010/items'),
  register('https://user:word@localhost:9443/x'),
  register('https://localhost:9443/x', 'invoices'),
  { listener: 'service', method: 'POST', path: '/webhooks', body: { object_type: 'items' } },
  {
    listener: 'service',
    method: 'POST',
    path: '/callbacks',
    body: { url: 'https://localhost:9443/x', object_type: 'virtual_accounts' },
  },
  { listener: 'service', method: 'PATCH', path: '/items/none', body: { name: 'x' } },
  { listener: 'service', method: 'GET', path: '/webhooks/none' },
  { listener: 'service', method: 'DELETE', path: '/callbacks/none' },
  { listener: 'bench', method: 'POST', path: '/objects/invoices', body: {} },
  { listener: 'bench', method: 'POST', path: '/objects/items', body: { amount: 1.5 } },
  { listener: 'bench', method: 'POST', path: '/payments', body: { kind: 'none' } },
  { listener: 'bench', method: 'POST', path: '/clock/advance', body: { by: '-5m' } },
  { listener: 'bench', method: 'POST', path: '/jobs/none/resend' },
]
