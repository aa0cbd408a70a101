import type { Place } from './place.ts'

/** One thing that the package has to be. */
export interface Trial {
  readonly name: string
  /** Rejects with what is wrong. */
  run(place: Place): Promise<void>
}
