import { http, type HttpHandler } from 'msw'
import { checkArgument, isObjectWith, type ArgumentKind } from './arguments.ts'
import type { Sandbox } from './sandbox.ts'

const SERVED: ArgumentKind = {
  takes: 'the sandbox that createSandbox() resolves to',
  fits: (given) => isObjectWith(given, { origin: 'string', fetch: 'function' }),
}

/** Returns MSW handlers that serve the sandbox at the origin of the service: `setupServer(...mswHandlers(sandbox))`. */
export function mswHandlers(sandbox: Pick<Sandbox, 'origin' | 'fetch'>): HttpHandler[] {
  checkArgument('call mswHandlers()', ['sandbox', SERVED], sandbox)
  const { origin, fetch } = sandbox
  return [http.all(`${origin}/*`, ({ request }) => fetch(request))]
}
