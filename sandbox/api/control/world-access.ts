import type {
  World,
  WorldCopyRequest,
  WorldDetail,
  WorldRequest,
} from '../../../spec/generated/control-types.ts'

/**
 * The worlds of the sandbox, as far as they are open to who asks: to the token of the run all of them, to that of a world itself only.
 * What is not throws ApiError `forbidden`.
 */
export interface Worlds {
  /** `default` first, then the oldest. */
  list(): Promise<readonly World[]>
  /** Throws ApiError `not-found`. */
  get(name: string): Promise<WorldDetail>
  /** Throws ApiError `conflict` for a name or credentials that another world has. */
  add(request: WorldRequest): Promise<WorldDetail>
  /** The same. Nothing of the copy is left if it fails. */
  copy(name: string, request: WorldCopyRequest): Promise<WorldDetail>
  /** Resolves when nothing is left of it. */
  remove(name: string): Promise<World>
}
