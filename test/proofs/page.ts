import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { PROOFS, type Proof } from './proofs.ts'
import { readRuns, type KeptRun } from './results.ts'

const PAGE = new URL('../../RELIABILITY.md', import.meta.url)

/** What is written by hand: how others do it, and what is not claimed. */
const COMPARISON = new URL('comparison.md', import.meta.url)

const INTRODUCTION = `# Reliability

What was tried to break Hookbench, how often, and what came of it. Written by \`npm run reliability\` from the results that the
scripts keep; each goes on where it was stopped, so a long proof may be run piece by piece.
`

/** Writes RELIABILITY.md from the runs that are kept. */
async function writePage(): Promise<void> {
  const runs = readRuns()
  const machines = [...new Set(runs.map((run) => run.machine))]
  const text = `${INTRODUCTION}
Run on ${machines.join('; and on ')}.

| What was tried | Cases | Failed | Time | Last run | Script |
|---|---|---|---|---|---|
${PROOFS.map((proof) => proofLine(proof, runs)).join('\n')}

${readFileSync(COMPARISON, 'utf8')}`
  const path = fileURLToPath(PAGE)
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }))
}

function proofLine(proof: Proof, all: readonly KeptRun[]): string {
  const runs = all.filter((run) => run.proof === proof.id)
  const last = runs.at(-1)
  const sum = (pick: (run: KeptRun) => number) => runs.reduce((total, run) => total + pick(run), 0)
  const detail = last?.detail === undefined ? '' : ` Last: ${last.detail}.`
  const cells = [
    proof.tried + detail,
    `${sum((run) => run.cases).toLocaleString('en')} ${proof.cases}`,
    String(sum((run) => run.failures.length)),
    time(sum((run) => run.seconds)),
    last?.day ?? 'not run',
    `\`${proof.script}\``,
  ]
  return `| ${cells.join(' | ')} |`
}

function time(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}

await writePage()
