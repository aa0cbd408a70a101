import { createHash } from 'node:crypto'
import { createSeededRandom } from '../../sandbox/internal.ts'

/** Creates random numbers and seeds for ids. With a new salt, the ids are not yet in the receiver's database. */
export function createSeeds(seed: number, name: string, salt = '') {
  const ids = `${seed}/${name}${salt && `/salt/${salt}`}`
  let count = 0
  const next = () => createHash('sha256').update(`${ids}/${++count}`).digest().readUInt32BE()
  return {
    /** Returns a random number. The numbers are the same in every run with this seed, independent of other checks. */
    random: createSeededRandom(createHash('sha256').update(`${seed}/${name}`).digest().readUInt32BE()),
    /** Returns the next seed for ids of the service, derived from the run's seed and salt. */
    next,
    newId() {
      const hex = createHash('sha256').update(`${ids}/id/${++count}`).digest('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    },
  }
}

export type Seeds = ReturnType<typeof createSeeds>
