import { openContext, type ContextOptions } from './check-context.ts'
import type { Desk, Incoming, Receive, Reply } from './scripted-receiver.ts'
import { expect } from 'vitest'
import { careful } from './careful.ts'
import { catalogue } from '../../../contracts/catalogue.ts'
import { topicOf } from '../../../contracts/run/select.ts'
import type { ReceiverCheck } from '../../../contracts/toolkit/check-context.ts'
import type { Finding } from '../../../contracts/finding.ts'

/**
 * Runs a check and returns its finding. Defaults to a careful receiver. Each failure must list exchanges or objects as evidence.
 */
export async function findingOf(
  named: ReceiverCheck | string,
  options: Partial<ContextOptions> = {},
): Promise<Finding> {
  const check = typeof named === 'string' ? checkNamed(named) : named
  const finding = await check.run(await openContext({ receive: careful, ...options }))
  if (finding.kind === 'failed' && check.probes === undefined) {
    const { exchanges = [], objects = [] } = finding.evidence
    expect([...exchanges, ...objects]).not.toEqual([])
  }
  return finding
}

export type Defect = (request: Incoming, desk: Desk) => Reply | Promise<Reply | undefined> | undefined

export function defective(defect: Defect): Receive {
  return async (request, desk) => (await defect(request, desk)) ?? careful(request, desk)
}

export const dead: Receive = () => ({ reason: 'connect_refused' })

export function checksOf(topic: string): readonly ReceiverCheck[] {
  return catalogue.filter(({ id }) => topicOf({ id }) === topic)
}

export function checkNamed(id: string): ReceiverCheck {
  const found = catalogue.find((check) => check.id === id)
  if (!found) throw new RangeError(`There is no check ${id}`)
  return found
}

/** Returns a receiver with a fixed status and no effects. */
export function answering(status: number): Receive {
  return () => ({ status })
}
