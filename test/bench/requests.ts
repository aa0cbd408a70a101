import { Pool } from 'undici'
import { repeat, type Side } from './slices.ts'
import { BENCH_TOKEN } from './sandbox.ts'

export interface Call {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export function createCalls(
  origin: string,
  { path, method = 'GET', headers = {}, body }: Call,
  connections: number,
): { readonly side: Side; close(): Promise<void> } {
  const pool = new Pool(origin, { connections })
  const call = async () => {
    const answer = await pool.request({ path, method, headers, body: body ?? null })
    if (answer.statusCode >= 300) throw new Error(`Cannot measure: ${origin}${path}: ${answer.statusCode}`)
    await answer.body.dump()
  }
  return { side: repeat(connections, call), close: () => pool.close() }
}

export async function serviceHeaders(service: string): Promise<Record<string, string>> {
  const grant = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' }
  const headers = { 'content-type': 'application/json' }
  const granted = await fetch(`${service}/tokens`, { method: 'POST', headers, body: JSON.stringify(grant) })
  const { access_token } = (await granted.json()) as { access_token: string }
  return { authorization: `Bearer ${access_token}` }
}

export const benchHeaders = { authorization: `Bearer ${BENCH_TOKEN}`, 'content-type': 'application/json' }
