import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { PROOFS } from './proofs.ts'
import { readRuns, type KeptRun } from './results.ts'

const PAGE = new URL('../../docs/internals/reliability.md', import.meta.url)

/** The hand-written part of the page: a comparison with other products, and the limits of the proofs. */
const COMPARISON = new URL('comparison.md', import.meta.url)

interface ReliabilityRow {
  readonly proof: string
  readonly commit: string
  readonly day: string
  readonly cases: number
  readonly failed: number
  readonly detail: string | undefined
}

function reliabilityRows(runs: readonly KeptRun[]): readonly ReliabilityRow[] {
  return PROOFS.flatMap(({ id }) => {
    const byCommit = Map.groupBy(
      runs.filter(({ proof }) => proof === id),
      ({ commit }) => commit,
    )
    return [...byCommit].map(([commit, tried]) => ({
      proof: id,
      commit,
      day: tried.at(-1)?.day ?? '',
      cases: tried.reduce((sum, run) => sum + run.cases, 0),
      failed: tried.reduce((sum, run) => sum + run.failures.length, 0),
      detail: tried.at(-1)?.detail,
    }))
  })
}

async function writePage(): Promise<void> {
  const runs = readRuns()
  const rows = reliabilityRows(runs)
  const tried = PROOFS.filter(({ id }) => rows.some(({ proof }) => proof === id))
  const notTried = PROOFS.filter((proof) => !tried.includes(proof))
  const text = `# Reliability

A proof is a script that tries many cases and checks the sandbox after each case. A case is, for example, a loss of power. This
page shows how many cases of each proof were tried, and how many cases failed. The page counts only results of the current store
and delivery engine. \`node test/proofs/page.ts\` writes this page from the saved results.

| Proof | Cases | Failed | Commit and day |
|---|---|---|---|
${rows.map(formatRow).join('\n')}

${listMachines(runs)}${listScripts(notTried)}

## The proofs

${tried.map((proof) => `- **${proof.name}** (\`${proof.script}\`): ${proof.tried}${formatDetail(proof.id, rows)}`).join('\n')}

${readFileSync(COMPARISON, 'utf8')}`
  const path = fileURLToPath(PAGE)
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }))
}

function formatRow({ proof, commit, day, cases, failed }: ReliabilityRow): string {
  const { name, cases: unit } = PROOFS.find(({ id }) => id === proof) ?? { name: proof, cases: '' }
  return `| ${name} | ${cases.toLocaleString('en')} ${unit} | ${failed} | \`${commit}\`, ${day} |`
}

function listMachines(runs: readonly KeptRun[]): string {
  const machines = [...new Set(runs.map(({ machine }) => machine))]
  return machines.length === 0 ? '' : `The proofs ran on ${machines.join('; ')}. `
}

function listScripts(proofs: readonly { readonly script: string }[]): string {
  if (proofs.length === 0) return ''
  return `These proofs have not run on the current design yet: ${proofs.map(({ script }) => `\`${script}\``).join(', ')}.`
}

function formatDetail(id: string, rows: readonly ReliabilityRow[]): string {
  const detail = rows.findLast(({ proof }) => proof === id)?.detail
  return detail === undefined ? '' : ` Last measurements: ${detail}.`
}

await writePage()
