import { createHash } from 'node:crypto'
import { createSeededRandom } from '../../sandbox/internal.ts'

/** What a check draws on: the same in every run with the seed, whatever runs beside it. */
export interface Seeds {
  readonly random: () => number
  /** Another one at each call, for what the service draws. */
  next(): number
  newId(): string
}

export function createSeeds(seed: number, name: string): Seeds {
  let count = 0
  const next = () => createHash('sha256').update(`${seed}/${name}/${++count}`).digest().readUInt32BE()
  const digits = () => createHash('sha256').update(`${seed}/${name}/id/${++count}`).digest('hex')
  return {
    random: createSeededRandom(createHash('sha256').update(`${seed}/${name}`).digest().readUInt32BE()),
    next,
    newId() {
      const hex = digits()
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    },
  }
}
