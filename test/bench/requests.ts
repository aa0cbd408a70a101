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

export async function askJson<Answer>(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, init)
  if (!answer.ok) throw new Error(`Cannot measure: ${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/** Returns the headers of a call to the service, with a new token. */
export async function serviceHeaders(
  service: string,
  client = { client_id: 'sandbox', client_secret: 'sandbox-secret' },
): Promise<Record<string, string>> {
  const body = JSON.stringify({ grant_type: 'client_credentials', ...client })
  const headers = { 'content-type': 'application/json' }
  const granted = await askJson<{ access_token: string }>(`${service}/tokens`, {
    method: 'POST',
    headers,
    body,
  })
  return { ...headers, authorization: `Bearer ${granted.access_token}` }
}

/** The body of a call that creates a user. */
export function userBody(email = 'ada@example.test'): string {
  return JSON.stringify({ first_name: 'Ada', last_name: 'Lovelace', email, country: 'AUS' })
}

export const benchHeaders = { authorization: `Bearer ${BENCH_TOKEN}`, 'content-type': 'application/json' }
