import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The proofs whose cases are drawn anew in each run. */
export type SeededProof = 'agreement' | 'hostile' | 'kill-points' | 'power-loss' | 'simulation'

type Seeds = Readonly<Record<SeededProof, readonly number[]>>

const FILE = fileURLToPath(new URL('regression-seeds.json', import.meta.url))

/** The seeds that failed once. Each run tries them before it draws new ones. */
export function regressionSeeds(proof: SeededProof, file = FILE): readonly number[] {
  return readSeeds(file)[proof]
}

/** Adds a seed that failed to the file, which is committed with the fix. */
export function keepSeed(proof: SeededProof, seed: number, file = FILE): void {
  const seeds = readSeeds(file)
  if (seeds[proof].includes(seed)) return
  const kept = { ...seeds, [proof]: [...seeds[proof], seed] }
  const lines = Object.entries(kept).map(([name, numbers]) => `  "${name}": [${numbers.join(', ')}]`)
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
  console.error(`Seed ${seed} of ${proof} failed; it is kept in test/proofs/regression-seeds.json`)
}

function readSeeds(file: string): Seeds {
  return JSON.parse(readFileSync(file, 'utf8')) as Seeds
}
