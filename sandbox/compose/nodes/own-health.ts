import type { HttpRequest, HttpResponse } from '../../engine/core/http.ts'
import type { Door } from '../world-registry.ts'

const HEALTH = '/control/health'

interface HealthAnswer {
  readonly door: Door
  readonly request: HttpRequest
  readonly response: HttpResponse
  /** The one that has the world. */
  readonly node: string
}

/** Who asks a node where its service API is means this node, and not the one that has the world; that is named beside. */
export async function withOwnAddress(
  { door, request, response, node }: HealthAnswer,
  { serviceUrl }: { readonly serviceUrl: () => string },
): Promise<HttpResponse> {
  const { status, headers, body } = response
  const isHealth = door === 'bench' && request.method === 'GET' && request.path === HEALTH
  if (!isHealth || status !== 200 || body === null) return response
  const text = await new Response(body).text()
  const health: object = JSON.parse(text)
  const { 'content-length': _, ...others } = headers
  const own = { ...health, service_url: serviceUrl(), node }
  return { status, headers: others, body: JSON.stringify(own) }
}
