import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  coverageRows,
  coverLines,
  formatRow,
  formatUncovered,
  percent,
  scriptsOfProgram,
  type FileCoverage,
  type TestedFile,
} from './coverage-lines.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['contracts', 'generators', 'sandbox', 'spec']
const REQUIRED_PERCENT = 92

const folder = mkdtempSync(join(tmpdir(), 'hookbench-coverage-'))
try {
  const isPassed = runTests() === 0
  process.exitCode = report(coverage()) && isPassed ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs the tests, all of them unless arguments choose some, and gives their exit code. */
function runTests(): number | null {
  const options = [
    '--config=test/vitest.config.ts',
    // Counting takes time: a test that comes near its limit shall not fail of it.
    '--testTimeout=60000',
    '--coverage.enabled',
    '--coverage.provider=v8',
    '--coverage.reporter=json',
    '--coverage.reportOnFailure',
    `--coverage.reportsDirectory=${join(folder, 'tests')}`,
    `--coverage.include={${FOLDERS.join(',')}}/**/*.ts`,
    '--coverage.exclude=**/generated/**',
  ]
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  // Node hands this variable on to every program that a process starts, whatever environment it is given.
  const env = { ...process.env, NODE_V8_COVERAGE: join(folder, 'programs') }
  return spawnSync(process.execPath, [vitest, 'run', ...options, ...process.argv.slice(2)], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  }).status
}

function coverage(): FileCoverage[] {
  const tested: Readonly<Record<string, TestedFile>> = JSON.parse(
    readFileSync(join(folder, 'tests/coverage-final.json'), 'utf8'),
  )
  const programs = join(folder, 'programs')
  const scripts = readdirSync(programs)
    .flatMap((name) => scriptsOfProgram(readFileSync(join(programs, name), 'utf8')))
    .filter(({ url }) => url.startsWith('file:') && tested[fileURLToPath(url)] !== undefined)
  const scriptsByPath = Map.groupBy(scripts, ({ url }) => fileURLToPath(url))
  return Object.entries(tested).map(([file, statements]) => ({
    path: relative(ROOT, file),
    lines: coverLines(readFileSync(file, 'utf8'), statements, scriptsByPath.get(file) ?? []),
  }))
}

/** Prints the rows and the files with the most uncovered lines; whether each folder has enough. */
function report(files: readonly FileCoverage[]): boolean {
  const rows = coverageRows(files)
  console.log(`\n${'Lines'.padEnd(36)}    ran     of`)
  for (const row of rows) console.log(formatRow(row))
  console.log('\nNot run:')
  for (const line of formatUncovered(files, 40)) console.log(line)
  const short = rows.filter((row) => FOLDERS.includes(row.name) && percent(row) < REQUIRED_PERCENT)
  for (const { name } of short)
    console.log(`\n${name} has less than ${REQUIRED_PERCENT} % of its lines covered.`)
  return short.length === 0
}
