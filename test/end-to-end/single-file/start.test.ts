import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { OWN_NAME } from '../../../build/single-file/targets.ts'
import { ARCHIVE, IS_SINGLE_FILE, run, SINGLE_FILE } from '../../support/installed-package.ts'
import { listedSize } from '../../support/listed-sizes.ts'
import { followLines } from '../../support/program.ts'

const FROM_SOURCES = [process.execPath, new URL('../../../bin/hookbench.js', import.meta.url).pathname]

/** The least of some runs: what else the machine does makes the others longer. */
async function leastOf(measure: () => Promise<number>): Promise<number> {
  const measured: number[] = []
  for (let time = 0; time < 3; time++) measured.push(await measure())
  return Math.min(...measured)
}

/** Processor time until a command has ended, in seconds. */
async function timeOf(words: readonly string[]): Promise<number> {
  const script = `TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1`
  const printed = run('bash', ['-c', `exec 3>&2; { ${script}; } 2>&1`, 'bash', ...words], '/')
  return printed
    .trim()
    .split(' ')
    .map(Number)
    .reduce((sum, part) => sum + part, 0)
}

/** Processor time until a sandbox is ready, in hundredths of a second. */
async function timeUntilReady([command = '', ...words]: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const up = ['up', '--memory', '--json', '--port', '0', '--bench-port', '0']
  const child = spawn(command, [...words, ...up], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = followLines(child)
  await lines.line(/"event":"ready"/)
  // Of its two times, in its own programs and in the kernel. What comes before has the name of the program in brackets.
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  await lines.end('SIGTERM')
  return Number(fields[11]) + Number(fields[12])
}

describe.runIf(IS_SINGLE_FILE)('the single file', () => {
  test.runIf(OWN_NAME === 'linux-x64')('is as large as the page says, and so is its archive', () => {
    const megabytes = (path: string) => Math.round(statSync(path).size / 1e6)

    expect(Math.abs(megabytes(SINGLE_FILE) - listedSize('single file'))).toBeLessThanOrEqual(3)
    expect(Math.abs(megabytes(ARCHIVE) - listedSize('archive'))).toBeLessThanOrEqual(2)
  })

  test('says its version in no more time than the sources take', async () => {
    const file = await leastOf(() => timeOf([SINGLE_FILE, '--version']))
    const sources = await leastOf(() => timeOf([...FROM_SOURCES, '--version']))

    console.log(`Version: ${file} s of processor time, from sources ${sources} s`)
    expect(file).toBeLessThanOrEqual(sources)
  })

  test.runIf(process.platform === 'linux')('is ready in no more time than the sources take', async () => {
    const file = await leastOf(() => timeUntilReady([SINGLE_FILE]))
    const sources = await leastOf(() => timeUntilReady(FROM_SOURCES))

    console.log(`Ready: ${file / 100} s of processor time, from sources ${sources / 100} s`)
    expect(file).toBeLessThanOrEqual(sources)
  })
})
