import type { NotifiedType } from '../../spec/types.ts'
import { isNotifiedType, type Notice } from './notice.ts'
import type { Known } from './decide.ts'

/** A notice that is kept until it is dealt with. */
export interface Entry extends Notice {
  readonly number: number
  /** How often the service was asked about it in vain. */
  readonly attempts: number
  readonly dueAt: number
}

export type Money = Pick<Known, 'amount' | 'currency'>

type Row = Readonly<Record<string, unknown>>

export function entryOf(row: Row): Entry {
  return {
    type: typeIn(row),
    id: textIn(row, 'id') ?? '',
    generation: row['generation'] === 'callbacks' ? 'callbacks' : 'webhooks',
    body: textIn(row, 'body') ?? '',
    number: numberIn(row, 'number') ?? 0,
    attempts: numberIn(row, 'attempts') ?? 0,
    dueAt: numberIn(row, 'dueAt') ?? 0,
  }
}

export function knownOf(row: Row): Known {
  return {
    type: typeIn(row),
    id: textIn(row, 'id') ?? '',
    number: textIn(row, 'number'),
    kind: textIn(row, 'kind'),
    state: textIn(row, 'state'),
    updatedAt: numberIn(row, 'updatedAt'),
    amount: numberIn(row, 'amount'),
    currency: textIn(row, 'currency'),
  }
}

export function moneyOf(row: Row): Money {
  return { amount: numberIn(row, 'amount'), currency: textIn(row, 'currency') }
}

function typeIn(row: Row): NotifiedType {
  const type = textIn(row, 'type') ?? ''
  if (!isNotifiedType(type)) throw new Error(`Cannot read the store: "${type}" is no object type`)
  return type
}

function textIn(row: Row, column: string): string | null {
  const value = row[column]
  return typeof value === 'string' ? value : null
}

function numberIn(row: Row, column: string): number | null {
  const value = row[column]
  return typeof value === 'number' ? value : null
}
