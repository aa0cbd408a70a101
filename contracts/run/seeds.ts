import { createHash } from 'node:crypto'
import { createSeededRandom } from '../../sandbox/internal.ts'

/** What a check draws on. */
export interface Seeds {
  /** The same numbers in every run with the seed, whatever runs beside it. */
  readonly random: () => number
  /** Another one at each call, for the ids that the service draws; the same in every run with the seed and the salt. */
  next(): number
  newId(): string
}

/** Another salt makes other ids: a receiver that keeps its books has not seen the objects of an earlier run with the seed. */
export function createSeeds(seed: number, name: string, salt = ''): Seeds {
  const ids = `${seed}/${name}${salt && `/salt/${salt}`}`
  let count = 0
  const next = () => createHash('sha256').update(`${ids}/${++count}`).digest().readUInt32BE()
  const digits = () => createHash('sha256').update(`${ids}/id/${++count}`).digest('hex')
  return {
    random: createSeededRandom(createHash('sha256').update(`${seed}/${name}`).digest().readUInt32BE()),
    next,
    newId() {
      const hex = digits()
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    },
  }
}
