import type { ItemsNotification } from 'hookbench/types'

const service = 'https://service.test'
const authorization = `Basic ${btoa('sandbox@example.test:sandbox-token')}`

/** Ships each paid order once. */
export function createShop() {
  const shipped = new Set<string>()

  async function receive(request: Request): Promise<Response> {
    const { items }: Partial<ItemsNotification> = JSON.parse(await request.text())
    if (!items) return new Response(null, { status: 204 }) // the test POST, when it is registered

    // Anyone can post a body, so ask the service.
    const answer = await fetch(`${service}/items/${items.id}`, { headers: { authorization } })
    const shown: ItemsNotification = JSON.parse(await answer.text())
    if (shown.items.state === 'completed') shipped.add(shown.items.id)
    return new Response(null, { status: 204 })
  }

  return { shipped, receive }
}
