import { ROOMS } from '../support/rooms.ts'

/** What the tests' own processes report of a file, in Istanbul's form: statements, and how often each ran. */
export interface TestedFile {
  readonly statementMap: Readonly<Record<string, { readonly start: Position }>>
  readonly s: Readonly<Record<string, number>>
}

interface Position {
  readonly line: number
  readonly column: number
}

/** What V8 reports of a script: the innermost range around a place says how often that place ran. */
interface ScriptProfile {
  readonly url: string
  readonly functions: readonly {
    readonly ranges: readonly {
      readonly startOffset: number
      readonly endOffset: number
      readonly count: number
    }[]
  }[]
}

/** The lines on which statements begin: whether one of them ran. */
export interface FileCoverage {
  readonly path: string
  readonly lines: ReadonlyMap<number, boolean>
}

/** One file's lines: those that ran in the tests, and those that ran in the programs that the tests started. */
export function coverLines(
  text: string,
  tested: TestedFile,
  scripts: readonly ScriptProfile[],
): FileCoverage['lines'] {
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lines = new Map<number, boolean>()
  for (const [id, { start }] of Object.entries(tested.statementMap)) {
    if (lines.get(start.line) === true) continue
    const offset = (lineStarts[start.line - 1] ?? 0) + start.column
    lines.set(start.line, tested.s[id] !== 0 || scripts.some((script) => countAt(script, offset) > 0))
  }
  return lines
}

function countAt({ functions }: ScriptProfile, offset: number): number {
  const around = functions
    .flatMap(({ ranges }) => ranges)
    .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  const width = ({ startOffset, endOffset }: (typeof around)[number]) => endOffset - startOffset
  return around.toSorted((one, other) => width(one) - width(other))[0]?.count ?? 0
}

/** The scripts of a program; none of a process that runs tests, whose scripts are not what is written in the files. */
export function scriptsOfProgram(profile: string): readonly ScriptProfile[] {
  const { result }: { readonly result: readonly ScriptProfile[] } = JSON.parse(profile)
  return result.some(({ url }) => url.includes('/node_modules/vitest/dist/')) ? [] : result
}

export interface Row {
  readonly name: string
  readonly covered: number
  readonly lines: number
}

/** One row for each folder, followed by those of its rooms, and one for all of them. */
export function coverageRows(files: readonly FileCoverage[]): Row[] {
  const sorted = files.toSorted(({ path }, other) => (path < other.path ? -1 : 1))
  const rows = [...Map.groupBy(sorted, ({ path }) => path.split('/')[0] ?? '')].flatMap(
    ([folder, inFolder]) => {
      const rooms = [...Map.groupBy(inFolder, ({ path }) => roomOf(path))]
      return [
        countLines(folder, inFolder),
        ...rooms.map(([room, inRoom]) => countLines(`  ${folder}/${room}`, inRoom)),
      ]
    },
  )
  return [...rows, countLines('total', files)]
}

/** The rooms that the architecture names; elsewhere the folder, or `*` for what lies beside them. */
function roomOf(path: string): string {
  const [folder = '', ...rest] = path.split('/')
  const inside = rest.join('/')
  const room = ROOMS[folder]?.find((name) => inside.startsWith(`${name}/`))
  return room ?? (rest.length > 1 ? (rest[0] ?? '') : '*')
}

function countLines(name: string, files: readonly FileCoverage[]): Row {
  const lines = files.flatMap((file) => [...file.lines.values()])
  return { name, covered: lines.filter(Boolean).length, lines: lines.length }
}

/** A row as text, under these widths: name, lines that ran, lines, and their share. */
export function formatRow({ name, covered, lines }: Row): string {
  return `${name.padEnd(36)}${`${covered}`.padStart(7)}${`${lines}`.padStart(7)}${percent({ covered, lines }).toFixed(1).padStart(7)} %`
}

export function percent({ covered, lines }: Pick<Row, 'covered' | 'lines'>): number {
  return lines === 0 ? 100 : (100 * covered) / lines
}

/** The files with the most lines that did not run, with these lines: `3-5, 9`. */
export function formatUncovered(files: readonly FileCoverage[], limit: number): string[] {
  return files
    .map(({ path, lines }) => ({ path, missed: lineRuns(lines), count: countMissed(lines) }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count || (one.path < other.path ? -1 : 1))
    .slice(0, limit)
    .map(({ path, missed, count }) => `${`${count}`.padStart(4)}  ${path}: ${missed.join(', ')}`)
}

function countMissed(lines: FileCoverage['lines']): number {
  return [...lines.values()].filter((ran) => !ran).length
}

/** Statements that follow each other and did not run, from the first one's line to the last one's. */
function lineRuns(lines: FileCoverage['lines']): string[] {
  const runs: { first: number; last: number; isOpen: boolean }[] = []
  for (const [line, ran] of [...lines].toSorted(([one], [other]) => one - other)) {
    const run = runs.at(-1)
    if (ran && run) run.isOpen = false
    else if (!ran && run?.isOpen === true) run.last = line
    else if (!ran) runs.push({ first: line, last: line, isOpen: true })
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
}
