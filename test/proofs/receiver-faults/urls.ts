import { onRequest } from '../../support/scripted-server.ts'
import { OK } from './receivers.ts'
import type { FaultRow, FaultyReceiver } from './row.ts'
import type { Stage } from './stage.ts'

const answer = onRequest((socket) => socket.write(OK))

/** A URL of a listener to which nothing may connect; `{port}` is its port. */
export const forbidden =
  (url: string, rest: Omit<FaultyReceiver, 'url'> = {}): FaultRow['open'] =>
  async (stage) => {
    const { port } = await stage.forbid()
    return { ...rest, url: url.replace('{port}', String(port)) }
  }

/** A URL of a receiver that answers. */
export const allowed =
  (url: string, rest: Omit<FaultyReceiver, 'url'> = {}, host?: string): FaultRow['open'] =>
  async (stage) => {
    const { port } = await stage.serve(answer, await certificateFor(stage, url), host)
    return { ...rest, url: url.replace('{port}', String(port)), connections: 1 }
  }

export const refused = (id: FaultRow['id'], outcome: string, urls: readonly string[]): readonly FaultRow[] =>
  urls.map((url) => ({ id, what: `is ${shown(url)}`, outcome, open: forbidden(url) }))

export const accepted = (id: FaultRow['id'], urls: readonly string[]): readonly FaultRow[] =>
  urls.map((url) => ({ id, what: `is ${shown(url)}`, outcome: '200', open: allowed(url) }))

function certificateFor({ authority }: Stage, url: string) {
  const hostname = URL.parse(url.replace('{port}', '1'))?.hostname ?? ''
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return authority.issue({ hosts: [host] })
}

function shown(url: string): string {
  const text = JSON.stringify(url).slice(1, -1)
  return text.length > 70 ? `${text.slice(0, 60)}… (${text.length} characters)` : text
}
