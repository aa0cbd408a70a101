import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { barOf, isVoid, reachesBar, type Figure, type MeasureOptions, type Row } from './row.ts'
import { amount } from './table.ts'

/** A figure as it is kept, with how it was measured. */
interface Kept extends Figure {
  readonly id: string
  readonly jobs: number
  readonly machine: string
  readonly day: string
}

const RESULTS = new URL('results.json', import.meta.url)
const PAGE = new URL('../../docs/internals/benchmarks.md', import.meta.url)

/** Keeps a figure in place of the one before of its row and size, and writes the page anew. */
export async function keepFigure(
  rows: readonly Row[],
  { row, figure, options }: { readonly row: Row; readonly figure: Figure; readonly options: MeasureOptions },
): Promise<void> {
  const jobs = row.depends === 'jobs' ? options.jobs : 0
  const day = new Date().toISOString().slice(0, 10)
  const others = readResults().filter((each) => each.id !== row.id || each.jobs !== jobs)
  const kept = [...others, { id: row.id, jobs, ...figure, machine: machine(), day }]
  writeFileSync(RESULTS, `${JSON.stringify(kept, null, 2)}\n`)
  await writePage(rows, kept)
}

function readResults(): Kept[] {
  if (!existsSync(RESULTS)) return []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only keepFigure writes it
  return JSON.parse(readFileSync(RESULTS, 'utf8')) as Kept[]
}

function machine(): string {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`
  const model = (cpu?.model ?? arch()).replaceAll(/\s+/g, ' ').trim()
  return `${availableParallelism()} cores of ${model}, ${memory}, ${type()} ${release()}, Node ${process.versions.node}`
}

async function writePage(rows: readonly Row[], kept: readonly Kept[]): Promise<void> {
  const lines = rows.flatMap((row) =>
    kept
      .filter(({ id }) => id === row.id)
      .toSorted((a, b) => a.jobs - b.jobs)
      .map((figure) => pageLine(row, figure)),
  )
  const machines = [...new Set(kept.map((each) => each.machine))]
  const text = `# Benchmarks

Written by \`npm run bench -- --keep\`. \`npm run bench\` prints the same rows, \`npm run bench -- show\` one of them, and
\`npm run bench -- --jobs 1000000 pages restart memory disk\` those that depend on how much a store holds: it fills one
with as many jobs through the public doors first.

Machines are noisy, so a rate is never given alone: it is divided by that of the bare thing, which does the same without the
sandbox. Slices of 150 ms of both take turns, in one process that calls or sends, with
what answers in another; each figure is the median of at least five rounds. The bare side is measured against itself in the same run, too: what leaves
0.90 to 1.10 there is void.

Measured on ${machines.join('; and on ')}.

| Row | Measure | Figure | Bar | Goal | Behind it | Instead of it |
|---|---|---|---|---|---|---|
${lines.join('\n')}
${shortRows(rows, kept)}`
  const path = fileURLToPath(PAGE)
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }))
}

/** What is known of the rows that are short of their bars. */
function shortRows(rows: readonly Row[], kept: readonly Kept[]): string {
  const short = rows.filter((row) =>
    kept.some((each) => each.id === row.id && !reachesBar(row, each, { jobs: each.jobs, folder: '' })),
  )
  if (short.length === 0) return ''
  const items = short.map(({ id, profile = 'Not profiled yet.' }) => `- \`${id}\`: ${profile}`)
  return `\n## Short of their bars\n\nWhere the time goes, by the first lines of a profile, and what was tried.\n\n${items.join('\n')}\n`
}

function pageLine(row: Row, figure: Kept): string {
  const options = { jobs: figure.jobs, folder: '' }
  const reached = isVoid(figure) ? ' (void)' : reachesBar(row, figure, options) ? '' : ' (short)'
  const size = figure.jobs === 0 ? '' : `, ${figure.jobs.toLocaleString('en')} jobs`
  const goal = row.goal === undefined ? '' : amount(row, row.goal)
  const cells = [
    `\`${row.id}\`${size}`,
    row.what,
    `**${amount(row, figure.value)}**${reached}`,
    amount(row, barOf(row, options)),
    goal,
    figure.detail,
    row.instead,
  ]
  return `| ${cells.join(' | ')} |`
}
