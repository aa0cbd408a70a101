/** @module-tag terminal */

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROGRAM_COMMAND } from '../support/installed-package.ts'
import { openWorkshop } from '../support/program.ts'

let shop: ReturnType<typeof openWorkshop>
beforeAll(() => {
  shop = openWorkshop()
})
afterAll(() => shop.close())

const ESCAPE = '\u001b['
const program = PROGRAM_COMMAND.map((word) => `'${word}'`).join(' ')

function showInTerminal(line: string, variables: Readonly<Record<string, string>>): string {
  const file = join(shop.folder, 'line.sh')
  writeFileSync(file, `${line}\n`)
  const env = { PATH: process.env['PATH'], HOME: shop.folder, TERM: 'xterm-256color', ...variables }
  const { stdout } = spawnSync('script', ['-qec', `sh ${file}`, '/dev/null'], {
    cwd: shop.folder,
    env,
    encoding: 'utf8',
  })
  return stdout
}

const read = (name: string) => readFileSync(join(shop.folder, name), 'utf8')

test.each([
  ['in a terminal', {}, true],
  ['with NO_COLOR', { NO_COLOR: '1' }, false],
  ['in a terminal without colours', { TERM: 'dumb' }, false],
])('an error is printed only to standard error: %s', (_, variables, isColoured) => {
  const shown = showInTerminal(`${program} jobs >out.txt`, variables)

  expect([read('out.txt'), shown.includes(ESCAPE)]).toEqual(['', isColoured])
  expect(shown).toContain('Cannot find a sandbox')
})

test('output to a file has no colours, even when the other stream is a terminal', () => {
  const shown = showInTerminal(`${program} jobs 2>error.txt; ${program} jobs --nope 2>misuse.txt`, {})

  expect(shown).toBe('')
  expect([read('error.txt'), read('misuse.txt')].map((text) => text.includes(ESCAPE))).toEqual([false, false])
})

test('usage errors are coloured in a terminal, and in a pipe with FORCE_COLOR', () => {
  const shown = showInTerminal(
    `${program} jobs --nope >out.txt; FORCE_COLOR=1 ${program} jobs 2>error.txt`,
    {},
  )

  expect(shown).toMatch(/\[31mhookbench:.*unknown option/)
  expect([read('out.txt'), read('error.txt').includes(ESCAPE)]).toEqual(['', true])
})
