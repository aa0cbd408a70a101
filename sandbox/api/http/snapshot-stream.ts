import { OPERATIONS } from '../../../spec/generated/control-operations.ts'
import type { Validator } from '../../../spec/validator.ts'
import type { Clock, Snapshot } from '../../../spec/generated/control-types.ts'
import { controlValidators } from '../../../spec/validators.ts'
import { readLines } from '../../engine/core/lines.ts'
import { jsonResponse } from '../../engine/core/http.ts'
import type { RealTime } from '../../engine/core/ports.ts'
import type { ControlActions, Restoration } from '../control/operation.ts'
import type { OperationRow, RequestBody } from '../../../spec/rows.ts'
import type { AnswerInPieces } from './pipeline.ts'
import { checkBodyHeaders, refuseJson, refuseSize, refuseUnstorable } from './read-body.ts'
import { throwInvalid } from './read-input.ts'

/** The number of characters in a chunk. Between two chunks, the sandbox can do other work. */
const PIECE = 65_536

/** The maximum length of a line. The longest lines contain manual deliveries with a thousand responses. */
const MAX_LINE = 134_217_728

const MAX_REQUESTS = 10_000

const JSON_LINES = 'application/jsonl'

const row: OperationRow & { readonly body: RequestBody } = OPERATIONS.putSnapshot

async function* readWorld({ snapshotLines }: ControlActions, realTime: RealTime): AsyncGenerator<Uint8Array> {
  let piece = ''
  for (const line of snapshotLines()) {
    piece += `${line}\n`
    if (piece.length < PIECE) continue
    yield Buffer.from(piece)
    piece = ''
    await turn(realTime)
  }
  yield Buffer.from(piece)
}

/** Throws ApiError and changes nothing if the snapshot is invalid. */
async function replaceWorld(
  pieces: AsyncIterable<Uint8Array>,
  { beginRestore }: ControlActions,
  realTime: RealTime,
): Promise<void> {
  const restoration = beginRestore()
  try {
    const taker = createLineTaker(restoration)
    let read = 0
    for await (const line of readLines(pieces, MAX_LINE)) {
      taker.take(line)
      read += line.length
      if (read > PIECE) {
        read = 0
        await turn(realTime)
      }
    }
    await restoration.finish(taker.end())
  } catch (error) {
    if (error instanceof SyntaxError) refuseJson(error)
    throw error
  } finally {
    restoration.discard()
  }
}

export function createWorldSnapshots(actions: ControlActions, realTime: RealTime) {
  return {
    read: () => readWorld(actions, realTime),
    putBack: (pieces: AsyncIterable<Uint8Array>) => replaceWorld(pieces, actions, realTime),
  }
}

export function sendSnapshot(actions: ControlActions, realTime: RealTime): AnswerInPieces {
  return async () => {
    const pieces = readWorld(actions, realTime)
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
    })
    return { status: 200, headers: { 'content-type': JSON_LINES }, body }
  }
}

export function receiveSnapshot(
  actions: ControlActions,
  realTime: RealTime,
  toClock: () => Clock,
): AnswerInPieces {
  return async (request) => {
    checkBodyHeaders(request, row.body, JSON_LINES)
    await replaceWorld(request.bodyPieces(), actions, realTime)
    return jsonResponse(200, JSON.stringify(toClock()))
  }
}

function turn({ soon }: RealTime): Promise<void> {
  return new Promise((resolve) => soon(resolve))
}

/** Creates a parser for the lines of a snapshot. The first line has the scalar fields, and the last line has the checksum. */
function createLineTaker(restoration: Restoration) {
  let whole: Snapshot | undefined
  let checksum = ''
  const counts = { entries: 0, requests: 0 }

  function requireItem<Item>(name: keyof typeof counts, value: unknown, validate: Validator<Item>): Item {
    const index = counts[name]++
    refuseUnstorable(value, [name])
    if (validate(value)) return value
    const errors = (validate.errors ?? []).map((error) => ({
      ...error,
      instancePath: `/${name}/${index}${error.instancePath}`,
    }))
    return throwInvalid(errors, { [name]: { [index]: value } }, { row })
  }

  return {
    take(line: string): void {
      const value: unknown = JSON.parse(line)
      const fields: Readonly<Record<string, unknown>> = Object(value)
      if (!whole) {
        refuseUnstorable(fields, [])
        const first = { ...fields, entries: [], requests: [], checksum: '' }
        const validate = controlValidators.Snapshot
        whole = validate(first) ? first : throwInvalid(validate.findAll(first), first, { row })
      } else if ('head' in fields)
        restoration.addEntry(requireItem('entries', value, controlValidators.SnapshotEntry))
      else if ('checksum' in fields) checksum = String(fields['checksum'])
      else if (counts.requests === MAX_REQUESTS) refuseSize(MAX_REQUESTS + 1, MAX_REQUESTS)
      else restoration.addRequest(requireItem('requests', value, controlValidators.RequestRecord))
    },
    end() {
      if (!whole) throw new SyntaxError('The snapshot is incomplete')
      const { entries: _, requests: __, ...frame } = whole
      return { ...frame, checksum }
    },
  }
}
