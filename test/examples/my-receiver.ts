import type { ItemsNotification } from 'hookbench/types'

const service = 'https://service.test'
const authorization = `Basic ${btoa('sandbox@example.test:sandbox-token')}`

export function createShop() {
  const shipped = new Set<string>()

  async function receive(request: Request): Promise<Response> {
    const { items }: Partial<ItemsNotification> = JSON.parse(await request.text())
    if (!items) return new Response(null, { status: 204 }) // the test POST, when it is registered

    // A POST proves nothing. Ask the service and trust its response.
    const answer = await fetch(`${service}/items/${items.id}`, { headers: { authorization } })
    const shown: ItemsNotification = JSON.parse(await answer.text())
    if (shown.items.state === 'completed') shipped.add(shown.items.id)
    return new Response(null, { status: 204 })
  }

  return { shipped, receive }
}
