import { OPERATIONS } from '../../../spec/generated/control-operations.ts'
import type { ValidationError, Validators } from '../../../spec/validator.ts'
import type { Clock, Schemas, Snapshot } from '../../../spec/generated/control-types.ts'
import { createJsonPartReader, type JsonPart } from '../../engine/core/json-parts.ts'
import { jsonResponse, type HttpResponse } from '../../engine/core/http.ts'
import type { RealTime } from '../../engine/core/ports.ts'
import type { ControlActions, Restoration } from '../control/operation.ts'
import type { OperationRow, RequestBody } from '../../../spec/rows.ts'
import type { AnswerInPieces } from './pipeline.ts'
import { checkBodyHeaders, refuseJson, refuseSize, refuseUnstorable } from './read-body.ts'
import { throwInvalid } from './read-input.ts'

/** The characters of a snapshot sent at once, and the bytes read before other work continues. */
const PIECE = 65_536

/** The limit of one entry. The largest are crafted deliveries with a thousand answers. */
const MAX_ENTRY_BYTES = 134_217_728

const MAX_REQUESTS = 10_000

const row: OperationRow & { readonly body: RequestBody } = OPERATIONS.putSnapshot

export interface SnapshotStreamPorts {
  readonly actions: Pick<ControlActions, 'snapshotText' | 'beginRestore'>
  readonly validators: Validators<Schemas>
  readonly realTime: Pick<RealTime, 'soon'>
  readonly clock: () => Clock
}

/** Sends the whole world as fast as the caller reads. Holds only one piece. */
export function sendSnapshot({ actions, realTime }: SnapshotStreamPorts): AnswerInPieces {
  return async () => {
    const texts = actions.snapshotText()[Symbol.iterator]()
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { text, isOver } = readPiece(texts)
        if (text !== '') controller.enqueue(encoder.encode(text))
        if (isOver) controller.close()
        await turn(realTime)
      },
    })
    return { status: 200, headers: { 'content-type': 'application/json' }, body } satisfies HttpResponse
  }
}

function readPiece(texts: Iterator<string>): { readonly text: string; readonly isOver: boolean } {
  const read: string[] = []
  for (let length = 0; length < PIECE;) {
    const { done = false, value } = texts.next()
    if (done) return { text: read.join(''), isOver: true }
    read.push(value)
    length += value.length
  }
  return { text: read.join(''), isOver: false }
}

/** Receives a world next to the present one, and replaces the present one at the end. */
export function receiveSnapshot(ports: SnapshotStreamPorts): AnswerInPieces {
  const { actions, realTime } = ports
  const { limit } = row.body
  return async (request) => {
    checkBodyHeaders(request, row.body)
    const restoration = actions.beginRestore()
    try {
      const take = createPartTaker(restoration, ports)
      let bytes = 0
      for await (const piece of request.bodyPieces()) {
        bytes += piece.byteLength
        if (bytes > limit) refuseSize(bytes, limit)
        for (let at = 0; at < piece.byteLength; at += PIECE) {
          take.bytes(piece.subarray(at, at + PIECE))
          await turn(realTime)
        }
      }
      await restoration.finish(take.end())
      return jsonResponse(200, JSON.stringify(ports.clock()))
    } finally {
      restoration.discard()
    }
  }
}

/** Lets other work continue. */
function turn({ soon }: Pick<RealTime, 'soon'>): Promise<void> {
  return new Promise((resolve) => soon(resolve))
}

function createPartTaker(restoration: Restoration, { validators }: SnapshotStreamPorts) {
  const reader = createJsonPartReader({ lists: ['entries', 'requests'], maxBytes: MAX_ENTRY_BYTES })
  const rest: Record<string, unknown> = {}

  function takeField({ name, value }: JsonPart): void {
    const errors = validators.Snapshot.findAll({ [name]: value })
    // Missing fields may follow.
    const own = errors.filter(({ instancePath }) => instancePath !== '')
    if (own.length > 0) throwInvalid(own, { [name]: value }, { row })
    rest[name] = value
  }

  function takeItem(part: JsonPart): void {
    const { name, index, value } = part
    if (name === 'entries') {
      if (!validators.SnapshotEntry(value)) return refuseItem(part, validators.SnapshotEntry.errors)
      return restoration.addEntry(value)
    }
    if (Number(index) >= MAX_REQUESTS) refuseSize(Number(index) + 1, MAX_REQUESTS)
    if (!validators.RequestRecord(value)) return refuseItem(part, validators.RequestRecord.errors)
    return restoration.addRequest(value)
  }

  return {
    bytes(piece: Uint8Array): void {
      for (const part of readParts(() => reader.take(piece))) {
        refuseUnstorable(part.value, [part.name])
        if (part.index === undefined) takeField(part)
        else takeItem(part)
      }
    },
    /** Returns all fields except the lists. */
    end(): Omit<Snapshot, 'entries' | 'requests'> {
      readParts(() => reader.end())
      if (validators.Snapshot(rest)) return rest
      return throwInvalid(validators.Snapshot.errors ?? [], rest, { row })
    },
  }
}

function refuseItem(
  { name, index = 0, value }: JsonPart,
  errors: readonly ValidationError[] | null = [],
): never {
  const inWhole = errors?.map((error) => ({
    ...error,
    instancePath: `/${name}/${index}${error.instancePath}`,
  }))
  return throwInvalid(inWhole ?? [], { [name]: { [index]: value } }, { row })
}

function readParts<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    return refuseJson(error)
  }
}
