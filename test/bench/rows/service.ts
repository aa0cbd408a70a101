import { startChild } from '../children.ts'
import { createCalls, serviceHeaders, type Call } from '../requests.ts'
import { ratioFigure, type Figure, type MeasureOptions, type Row } from '../row.ts'
import { compareSides } from '../slices.ts'

const CONNECTIONS = 50

async function compareWithBare(
  { folder }: MeasureOptions,
  toCall: (item: string, headers: Record<string, string>) => Call,
): Promise<Figure> {
  const [sandbox, bareServer] = await Promise.all([startChild('sandbox'), startChild('bare-server')])
  try {
    const opening = { folder, store: `service-${process.pid}.sqlite` }
    const { serviceUrl } = await sandbox.ask<{ serviceUrl: string }>({ do: 'open', opening })
    const item = await sandbox.ask<{ path: string }>({ do: 'item' })
    const call = toCall(item.path, await serviceHeaders(serviceUrl))
    const { method = 'GET', headers = {}, body = null } = call
    const sample = await fetch(`${serviceUrl}${call.path}`, { method, headers, body })
    const answer = { status: sample.status, body: await sample.text() }
    const { origin } = await bareServer.ask<{ origin: string }>(answer)
    const ours = createCalls(serviceUrl, call, CONNECTIONS)
    const bare = createCalls(origin, call, CONNECTIONS)
    const compared = await compareSides({ ours: ours.side, bare: bare.side })
    await Promise.all([ours.close(), bare.close()])
    return ratioFigure(compared)
  } finally {
    await Promise.all([sandbox.end(), bareServer.end()])
  }
}

export const SHOW: Row = {
  id: 'show',
  what: '`GET /items/{id}` with its token ÷ bare `node:http` sending the same bytes, 50 connections',
  unit: '',
  better: 'more',
  bar: 0.85,
  goal: 1,
  instead: 'Prism 0.10, Mockoon 0.07, WireMock 0.51, hono alone 1.0',
  measure: (options) => compareWithBare(options, (path, headers) => ({ path, headers })),
}

const USER = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.test', country: 'AUS' }

export const CREATE_USER: Row = {
  id: 'create-user',
  what: '`POST /users` with its record ÷ bare `node:http` that reads the same body and answers the same bytes',
  unit: '',
  better: 'more',
  bar: 0.18,
  goal: 0.3,
  instead: 'a mock server, which keeps nothing',
  profile: `Each call makes, checks and stores two objects. Statements of SQLite take 18 %, the garbage collector 14 %, the two objects 14 %, and the check of the reply against the spec 5 %. The rest is spread.`,
  measure: (options) =>
    compareWithBare(options, (_, headers) => ({
      path: '/users',
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(USER),
    })),
}
