import type { Finding } from '../../../contracts/finding.ts'
import {
  fakeBench,
  type Desk,
  type FakeOptions,
  type Incoming,
  type Receive,
  type Reply,
} from './fake-bench.ts'
import { careful } from './careful.ts'
import type { ReceiverCheck } from '../../../contracts/toolkit/check-context.ts'

/** What a check finds of a careful receiver with these differences. */
export async function findingOf(check: ReceiverCheck, options: Partial<FakeOptions> = {}): Promise<Finding> {
  return check.run(await fakeBench({ receive: careful, ...options }))
}

/** What a receiver does that is careful but for this; undefined leaves it to the careful one. */
export type Defect = (request: Incoming, desk: Desk) => Reply | Promise<Reply | undefined> | undefined

export function defective(defect: Defect): Receive {
  return async (request, desk) => (await defect(request, desk)) ?? careful(request, desk)
}

export const dead: Receive = () => ({ reason: 'connect_refused' })

/** The check with this id among them. */
export function checkNamed(checks: readonly ReceiverCheck[], id: string): ReceiverCheck {
  const found = checks.find((check) => check.id === id)
  if (!found) throw new RangeError(`There is no check ${id}`)
  return found
}

/** Receivers that answer something to everything, and do nothing. */
export function answering(status: number): Receive {
  return () => ({ status })
}
