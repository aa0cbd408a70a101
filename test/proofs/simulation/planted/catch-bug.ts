import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { drawPlan, judgePlan, VARIANTS } from '../variants.ts'
import type { PlantedBug } from './planted-bug.ts'
import { DISK_BUGS, VIEW_BUGS } from './store.ts'
import { PORT_BUGS } from './ports.ts'
import { RECORD_BUGS } from './records.ts'
import { INVARIANTS } from '../invariants/invariants.ts'

export interface CaughtBug {
  readonly bug: PlantedBug
  readonly seed: number
  readonly invariants: readonly string[]
  readonly problem: string
}

const EVERY = 5

/** Tries seeds until a seed reveals the bug. With `invariant`, only a violation of this invariant counts. */
export async function catchBug(
  bug: PlantedBug,
  seeds: number,
  invariant?: string,
): Promise<CaughtBug | undefined> {
  for (let seed = 0; seed < seeds; seed++) {
    const variant = seed % EVERY === 0 ? seed / EVERY : undefined
    const violations = await judgePlan(drawPlan(seed), variant, { plant: bug.plant })
    const first = violations.find(({ id }) => invariant === undefined || id === invariant)
    if (first)
      return { bug, seed, invariants: [...new Set(violations.map(({ id }) => id))], problem: first.problem }
  }
  return undefined
}

export const PLANTED_BUGS: readonly PlantedBug[] = [...RECORD_BUGS, ...DISK_BUGS, ...VIEW_BUGS, ...PORT_BUGS]

const PAGE = new URL('../planted-bugs.md', import.meta.url)

export async function writePlantedBugs(caught: readonly CaughtBug[]): Promise<void> {
  const path = fileURLToPath(PAGE)
  const text = `# Invariants, and the bugs that they find

\`npm run sim -- --planted\` writes this page, after it has planted each bug in a correct sandbox. The command then finds the first
seed that reveals each bug.

| Invariant | Promise | Tested by |
|---|---|---|
${invariantRows().join('\n')}

| Planted bug | What it does | Seed | Found by |
|---|---|---|---|
${caught.map(bugRow).join('\n')}
`
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }))
}

function bugRow({ bug, seed, invariants }: CaughtBug): string {
  return `| \`${bug.id}\` | ${bug.about} | ${seed} | ${invariants.join(', ')} |`
}

function invariantRows(): readonly string[] {
  const rows = [
    ...INVARIANTS.map(({ id, about }) => ({ id, about, by: 'each seed' })),
    ...VARIANTS.map(({ id, about }) => ({ id, about, by: 'two runs with the same seed' })),
  ]
  return rows
    .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .map(({ id, about, by }) => `| ${id} | ${about} | ${by} |`)
}
