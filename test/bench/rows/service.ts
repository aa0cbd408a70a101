import { openChild, startChild } from '../children.ts'
import { createCalls, serviceHeaders, userBody, type Call } from '../requests.ts'
import { ratioFigure, type Figure, type MeasureOptions, type Row } from '../row.ts'
import { compareSides } from '../slices.ts'

const CONNECTIONS = 50

async function compareWithBare(
  { folder }: MeasureOptions,
  toCall: (item: string, headers: Record<string, string>) => Call,
): Promise<Figure> {
  const opening = { folder, store: `service-${process.pid}.sqlite` }
  const [sandbox, bareServer] = await Promise.all([openChild(opening), startChild('bare-server')])
  try {
    const { serviceUrl } = sandbox
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
  what: 'the rate of `GET /items/{id}`, compared with bare `node:http` that sends the same bytes over 50 connections',
  unit: '',
  better: 'more',
  bar: 0.85,
  goal: 1,
  instead: 'Prism with 0.10, Mockoon with 0.07, WireMock with 0.51, or hono alone with 1.0',
  measure: (options) => compareWithBare(options, (path, headers) => ({ path, headers })),
}

export const CREATE_USER: Row = {
  id: 'create-user',
  what: 'the rate of `POST /users`, which stores a record, compared with bare `node:http` that reads and sends the same bytes',
  unit: '',
  better: 'more',
  bar: 0.18,
  goal: 0.3,
  instead: 'a mock server, which stores nothing',
  profile: `Each call creates, checks and stores two objects. SQLite statements take 16 % of the time, COMMIT 8 %, building the two objects 14 %, the garbage collector 9 %, and the schema check of the reply 6 %. At most 16 calls start in one turn of the event loop, so that the process handles calls while the disk syncs. The rest of the time is spread over many functions.`,
  measure: (options) =>
    compareWithBare(options, (_, headers) => ({
      path: '/users',
      method: 'POST',
      headers,
      body: userBody(),
    })),
}
