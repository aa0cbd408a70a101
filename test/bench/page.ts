import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { amount, isVoid, reachesBar, type Figure, type MeasureOptions, type Row } from './row.ts'

interface Kept extends Figure {
  readonly id: string
  readonly jobs: number
  readonly machine: string
  readonly commit: string
  readonly day: string
}

const RESULTS = new URL('results.json', import.meta.url)
const PAGE = new URL('../../docs/internals/benchmarks.md', import.meta.url)

/** Stores the figure of a benchmark and updates the benchmark page. Replaces the earlier figure for the same number of jobs. */
export async function keepFigure(
  rows: readonly Row[],
  { row, figure, options }: { readonly row: Row; readonly figure: Figure; readonly options: MeasureOptions },
): Promise<void> {
  const jobs = row.depends === 'jobs' ? options.jobs : 0
  const day = new Date().toISOString().slice(0, 10)
  const others = readResults().filter((each) => each.id !== row.id || each.jobs !== jobs)
  const kept = [...others, { id: row.id, jobs, ...figure, machine: machine(), commit: commit(), day }]
  writeFileSync(RESULTS, `${JSON.stringify(kept, null, 2)}\n`)
  await writePage(rows, kept)
}

function readResults(): Kept[] {
  if (!existsSync(RESULTS)) return []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `keepFigure` writes this file
  return JSON.parse(readFileSync(RESULTS, 'utf8')) as Kept[]
}

function machine(): string {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`
  const model = (cpu?.model ?? arch()).replaceAll(/\s+/g, ' ').trim()
  return `${availableParallelism()} cores of ${model}, ${memory}, ${type()} ${release()}, Node ${process.versions.node}`
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}

async function writePage(rows: readonly Row[], kept: readonly Kept[]): Promise<void> {
  const figures = rows.flatMap((row) =>
    kept
      .filter(({ id }) => id === row.id)
      .toSorted((a, b) => a.jobs - b.jobs)
      .map((figure) => ({ row, figure })),
  )
  const machines = [...new Set(kept.map((each) => `${each.machine}, at commit ${each.commit}`))]
  const text = `# Benchmarks

- Each rate is a ratio: the sandbox's rate, divided by the rate of a bare program with the same work.
- Both programs first run for 3 s, so that V8 compiles their code. They then run in alternating turns of 150 ms, in the same minute and on the same machine. A figure is the median of at least five rounds.
- As a control, each run also compares the bare program with itself. A row is void if the ratio of the bare program's two measurements is below 0.90 or above 1.10.
- "Must" is the limit that every change must meet, and "Goal" is the desired figure. A figure with "(short)" misses the limit. In the notes, the number after "against" belongs to the program or the state used for comparison.
- \`npm run bench\` prints all rows, \`npm run bench -- show\` prints only the row \`show\`, and \`npm run bench -- --keep\` writes this page.

If the name of a row contains a number of jobs, its result depends on the size of the store. To measure these rows, run
\`npm run bench -- --jobs 1000000 pages offset restart memory disk\`, which first fills a store through the public API.

| Metric | Result | Must | Goal |
|---|---|---|---|
${figures.map(pageLine).join('\n')}

Measured on ${machines.join('; and on ')}.

## Notes

${figures.map(pageNote).join('\n')}
`
  const path = fileURLToPath(PAGE)
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }))
}

interface PageFigure {
  readonly row: Row
  readonly figure: Kept
}

function metric({ row, figure }: PageFigure): string {
  return figure.jobs === 0 ? `\`${row.id}\`` : `\`${row.id}\`, ${figure.jobs.toLocaleString('en')} jobs`
}

function isShort({ row, figure }: PageFigure): boolean {
  return !reachesBar(row, figure)
}

function pageLine({ row, figure }: PageFigure): string {
  const remark = isVoid(figure) ? ' (void)' : isShort({ row, figure }) ? ' (short)' : ''
  const cells = [
    metric({ row, figure }),
    `${amount(row, figure.value)}${remark}`,
    amount(row, row.bar),
    row.goal === undefined ? '' : amount(row, row.goal),
  ]
  return `| ${cells.join(' | ')} |`
}

function pageNote({ row, figure }: PageFigure): string {
  const profile = isShort({ row, figure }) ? [row.profile ?? 'The cause is not known yet.'] : []
  const sentences = [`${row.what}.`, `${figure.detail}.`, `Alternative: ${row.instead}.`, ...profile]
  return `- **${metric({ row, figure })}**. ${sentences.map(capitalize).join(' ')}`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
