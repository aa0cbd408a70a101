import type { HttpRequest, RequestHandler } from '../../../../sandbox/engine/core/http.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import type { Registration } from '../../../../sandbox/engine/state/registration.ts'
import { alterEntries, type PlantedBug } from './planted-bug.ts'

/** A registration that is refused as the second one goes in as a disabled one, and is written as enabled. */
function plantSecondEnabled(): PlantedBug['plant'] {
  let isSecond = false
  const enable = (entry: Entry): readonly Entry[] =>
    entry.head.kind === 'registration' && isSecond
      ? [{ ...entry, head: { ...entry.head, registration: writtenAsEnabled(entry.head.registration) } }]
      : [entry]

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
    ...alterEntries(enable),
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

function writtenAsEnabled(registration: Registration): Registration {
  return Object.assign({ ...registration }, { toJSON: () => ({ ...registration, enabled: true }) })
}

function disable(piece: Uint8Array): Uint8Array {
  return Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(piece).toString()), enabled: false }))
}

export const secondEnabled: PlantedBug = {
  id: 'second-enabled',
  about: 'A second registration of a type is taken as an enabled one.',
  plant: plantSecondEnabled(),
}
