import type { HttpRequest, RequestHandler } from '../../../../sandbox/engine/core/http.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { withMembers, type PlantedBug } from './planted-bug.ts'

/** A registration that is refused as the second one goes in by the way of a disabled one, and is enabled on the disk. */
function plantSecondEnabled(): PlantedBug['plant'] {
  let isSecond = false
  const enable = (entry: Entry): Entry =>
    entry.head.kind === 'registration' && isSecond
      ? { ...entry, head: { ...entry.head, registration: { ...entry.head.registration, enabled: true } } }
      : entry

  async function letIn(handle: RequestHandler, request: HttpRequest) {
    isSecond = true
    const response = await handle({
      ...request,
      readBody: (take) => request.readBody((piece) => take(disable(piece))),
    })
    isSecond = false
    const { body } = response
    return typeof body === 'string'
      ? { ...response, body: body.replace('"enabled":false', '"enabled":true') }
      : response
  }

  return {
    log: (log) => withMembers(log, { append: (entries) => log.append(entries.map(enable)) }),
    assembled: (assembled) => ({
      ...assembled,
      async service(request) {
        const response = await assembled.service(request)
        const isRefused = response.status === 409 && request.method === 'POST' && request.path === '/webhooks'
        return isRefused ? letIn(assembled.service, request) : response
      },
    }),
  }
}

function disable(piece: Uint8Array): Uint8Array {
  return Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(piece).toString()), enabled: false }))
}

export const secondEnabled: PlantedBug = {
  id: 'second-enabled',
  about: 'A second registration of a type is taken as an enabled one.',
  plant: plantSecondEnabled(),
}
