import type { Clock } from '../../../spec/generated/control-types.ts'
import { WORLD_HEADER } from '../../api/http/world-keys.ts'
import type { HttpRequest, RequestHandler } from '../../engine/core/http.ts'
import type { WorldRecord } from '../../engine/state/world-directory.ts'
import { createOwnSnapshots } from '../own-snapshots.ts'
import type { CopySource } from '../world-administration.ts'

/** A world as whichever node has it shows it, by the bench of this one. */
export async function readWorldAnywhere(
  { name }: Pick<WorldRecord, 'name'>,
  { bench, rootToken }: { readonly bench: RequestHandler; readonly rootToken: string },
): Promise<CopySource> {
  const headers = [
    ['authorization', `Bearer ${rootToken}`],
    [WORLD_HEADER, name],
  ] as const
  const { status, body } = await bench(toRequest('/control/clock', headers))
  const text = await new Response(body).text()
  if (status !== 200) throw new Error(`Cannot read world "${name}": ${text}`)
  const { speed }: Clock = JSON.parse(text)
  return { speed, pieces: createOwnSnapshots(bench, rootToken, name).read }
}

function toRequest(path: string, headers: readonly (readonly [string, string])[]): HttpRequest {
  const valueByName = new Map(headers)
  return {
    method: 'GET',
    path,
    query: '',
    header: (name) => valueByName.get(name),
    headers: () => headers,
    readBody: () => Promise.resolve(),
    async *bodyPieces() {},
    signal: () => new AbortController().signal,
  }
}
