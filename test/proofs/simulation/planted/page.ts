import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { INVARIANTS } from '../invariants/invariants.ts'
import { ELSEWHERE } from '../invariants/elsewhere.ts'
import { VARIANTS } from '../variants.ts'
import type { CaughtBug } from './catch-bug.ts'

const PAGE = new URL('../planted-bugs.md', import.meta.url)

/** Writes the page: what holds each invariant, and which of them found each planted bug. */
export async function writePlantedBugs(caught: readonly CaughtBug[]): Promise<void> {
  const path = fileURLToPath(PAGE)
  const text = `# Invariants, and the bugs that they find

Written by \`npm run sim -- --planted\`: each bug is put into the ports of a sandbox that has none, and the first seed is looked for
that shows it.

| Invariant | What holds | Held by |
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
    ...VARIANTS.map(({ id, about }) => ({ id, about, by: 'two runs of one seed' })),
    ...ELSEWHERE.map(({ id, about, test }) => ({ id, about, by: `\`${test}\`` })),
  ]
  return rows
    .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .map(({ id, about, by }) => `| ${id} | ${about} | ${by} |`)
}
