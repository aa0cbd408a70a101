/** @module-tag bash */

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROGRAM_COMMAND } from '../support/installed-package.ts'
import { readPageCode } from '../support/pages.ts'
import { openWorkshop } from '../support/program.ts'

// Runs the commands from docs/shell.md in order, and compares their output with the page.
let shop: ReturnType<typeof openWorkshop>
let bin: string
const blocks = readPageCode(new URL('../../docs/shell.md', import.meta.url))

beforeAll(async () => {
  shop = openWorkshop()
  bin = join(shop.folder, 'bin')
  mkdirSync(bin)
  // This `npx` starts the program, as the real npx does in a project with the package.
  const npx = `#!/bin/sh\n[ "$1" = hookbench ] && shift && exec ${PROGRAM_COMMAND.map((word) => `"${word}"`).join(' ')} "$@"\n`
  writeFileSync(join(bin, 'npx'), npx)
  chmodSync(join(bin, 'npx'), 0o755)
  await shop.up('--memory', '--clock', 'manual')
})

afterAll(() => shop.close())

const cases = blocks.flatMap((block, index) => {
  const { language, text, line, words, notRun } = block
  if (language !== 'sh' || notRun !== undefined) return []
  const next = blocks[index + 1]
  const output = next !== undefined && next.language !== 'sh' ? next : undefined
  const code = Number(words.find((word) => word.startsWith('exit='))?.slice('exit='.length) ?? 0)
  return [{ line, text, code, output }]
})

test.each(cases)('the command in line $line of the page has the stated output', ({ text, code, output }) => {
  const env = { HOME: shop.folder, PATH: `${bin}:${process.env['PATH']}` }

  const ran = spawnSync('bash', ['-euc', text], {
    cwd: shop.folder,
    env,
    encoding: 'utf8',
    // If Bash's input is a socket, Bash reads the settings of a remote session. The test therefore gives Bash no input.
    stdio: ['ignore', 'pipe', 'pipe'],
  })

  expect([ran.status, code === 0 ? ran.stderr : ran.stdout]).toEqual([code, ''])
  const printed = code === 0 ? ran.stdout : ran.stderr
  if (output?.language === 'json') expect(JSON.parse(printed)).toEqual(JSON.parse(output.text))
  else expect(printed.trim()).toBe(output?.text.trim() ?? '')
})
