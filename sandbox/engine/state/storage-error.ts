import { basename } from 'node:path'
import type { Head } from './entries.ts'

/** `unusable`: read-only or in use. `gone`: files deleted or replaced. `away`: PostgreSQL or its lease is unavailable. */
export type StorageErrorKind = 'full' | 'unusable' | 'damaged' | 'gone' | 'failed' | 'away'

export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly kind: StorageErrorKind
  /** The problem, without the path of the store and without the fix. */
  readonly detail: string

  constructor(
    kind: StorageErrorKind,
    message: string,
    { detail = message, ...options }: ErrorOptions & { readonly detail?: string } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.detail = detail
  }
}

export function isTemporary({ kind }: StorageError): boolean {
  return kind === 'full'
}

export function damage(path: string, detail: string, cause?: unknown): StorageError {
  const name = basename(path)
  const message = `Cannot read store "${path}": ${detail}. Move this file, "${name}-wal" and "${name}.head" away, or use another --data folder`
  return new StorageError('damaged', message, { cause, detail })
}

/** An error for an entry whose stored body was changed outside the sandbox, but whose head is intact. */
export class CorruptBodyError extends StorageError {
  readonly head: Head

  constructor(message: string, { head, detail }: { readonly head: Head; readonly detail: string }) {
    super('damaged', message, { detail })
    this.head = head
  }
}

export function readIfWhole<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'damaged') return undefined
    throw error
  }
}

/** An error for conflicting entries, such as two enabled registrations for one type. Source: §8. Reading: one-per-generation */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
}
