import type { NotifiedType } from '../../spec/types.ts'
import { isNotifiedType, type Notification } from './notification.ts'
import type { KnownObject } from './known-object.ts'

/** A notification that is kept until it has been processed. */
export interface Entry extends Notification {
  readonly number: number
  /** How often the service was asked about it in vain. */
  readonly attempts: number
  readonly dueAt: number
}

/** What was acted on, and for whom. */
export type Act = Pick<KnownObject, 'amount' | 'currency' | 'userId' | 'accountId'>

type Row = Readonly<Record<string, unknown>>

export function toEntry(row: Row): Entry {
  return {
    type: readType(row),
    id: readText(row, 'id') ?? '',
    generation: row['generation'] === 'callbacks' ? 'callbacks' : 'webhooks',
    body: readText(row, 'body') ?? '',
    number: readNumber(row, 'number') ?? 0,
    attempts: readNumber(row, 'attempts') ?? 0,
    dueAt: readNumber(row, 'dueAt') ?? 0,
  }
}

export function toKnownObject(row: Row): KnownObject {
  return {
    type: readType(row),
    id: readText(row, 'id') ?? '',
    number: readText(row, 'number'),
    kind: readText(row, 'kind'),
    state: readText(row, 'state'),
    updatedAt: readNumber(row, 'updatedAt'),
    ...toAct(row),
  }
}

export function toAct(row: Row): Act {
  return {
    amount: readNumber(row, 'amount'),
    currency: readText(row, 'currency'),
    userId: readText(row, 'userId'),
    accountId: readText(row, 'accountId'),
  }
}

function readType(row: Row): NotifiedType {
  const type = readText(row, 'type') ?? ''
  if (!isNotifiedType(type)) throw new Error(`Cannot read the store: "${type}" is no object type`)
  return type
}

function readText(row: Row, column: string): string | null {
  const value = row[column]
  return typeof value === 'string' ? value : null
}

function readNumber(row: Row, column: string): number | null {
  const value = row[column]
  return typeof value === 'number' ? value : null
}
