import type { Clock } from '../../spec/generated/control-types.ts'
import type { ControlAddress } from './control-address.ts'
import { createHttpCall, createStreamCall } from './http-call.ts'
import { readJson, readRefusal, send } from './requests.ts'
import { noAnswer } from './unreachable.ts'

/** Streams the snapshot of a world as lines of JSON. Throws RefusedError. Can throw UnreachableError even mid-stream. */
export async function* readSnapshot(address: ControlAddress): AsyncGenerator<Uint8Array> {
  const { url, token, world, trustedCas } = address
  const through = createStreamCall({ trustedCas })
  const response = await send(`${url}/control/snapshot`, { method: 'GET', token, world, through })
  if (!response.ok) throw await readRefusal(response, url)
  try {
    yield* response.body ?? []
  } catch (cause) {
    throw noAnswer(url, cause)
  }
}

/** Throws RefusedError or UnreachableError. */
export async function writeSnapshot(
  { url, token, world, trustedCas }: ControlAddress,
  pieces: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<Clock> {
  const through = createHttpCall({ trustedCas })
  const response = await send(`${url}/control/snapshot`, {
    method: 'PUT',
    token,
    world,
    pieces,
    signal,
    through,
  })
  if (response.ok) return readJson(response)
  throw await readRefusal(response, url)
}
