import { http, type HttpHandler } from 'msw'
import type { Sandbox } from './sandbox.ts'

/** Serves the sandbox inside a test process, at the service's own address: `setupServer(...mswHandlers(sandbox))`. */
export function mswHandlers({ origin, fetch }: Pick<Sandbox, 'origin' | 'fetch'>): HttpHandler[] {
  return [http.all(`${origin}/*`, ({ request }) => fetch(request))]
}
