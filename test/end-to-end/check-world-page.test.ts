/** @module-tag bash */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ciFiles, ciScript } from '../support/ci-job.ts'
import { PROGRAM } from '../support/installed-package.ts'
import { untilEnded } from '../support/program.ts'
import { useWorkshop } from '../support/workshop.ts'
import { freePorts } from '../support/free-ports.ts'

// Runs the CI jobs in docs/guides/shared-sandbox.md.

const MAIN = new URL('../receivers/receiver-main.ts', import.meta.url).pathname
const CHECKS = ['registration/accepts-test-post', 'trust/asks-back']
const shop = useWorkshop()
const data = join(shop.folder, 'srv')
const adapt = (written: string) => written.replaceAll('/srv/hookbench', data)

function openCheckout(name: string): string {
  const folder = join(shop.folder, name)
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const script = (file: string, body: string) =>
    writeFileSync(join(folder, 'bin', file), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  script('npm', '[ "$1" = ci ]')
  script('npx', `[ "$1" = hookbench ] || exit 64; shift; exec '${process.execPath}' '${PROGRAM}' "$@"`)
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  const flags = '--cert localhost.crt.pem --key localhost.key.pem --data data --effects-port 0'
  const words = [...flags.split(' '), '--token', '3f9c1d2ab47e8051c6d20a94e7b1358f', '--port']
  writeFileSync(
    join(folder, 'receiver.mjs'),
    `process.argv.push(...${JSON.stringify(words)}, process.env.RECEIVER_PORT)\nawait import('${MAIN}')\n`,
  )
  const config = adapt(ciFiles('shared.config.js')[0].text)
  const some = config.replace('export default {', `export default { checks: ${JSON.stringify(CHECKS)},`)
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
  writeFileSync(join(folder, 'shared.config.js'), some)
  return folder
}

async function runJob(name: string, port: number | undefined) {
  const cwd = openCheckout(name)
  const env = { PATH: `${cwd}/bin:${process.env['PATH']}`, HOME: cwd, RECEIVER_PORT: String(port) }
  const child = spawn('bash', ['-ec', adapt(ciScript('shared-check.sh'))], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { code, stdout, stderr } = await untilEnded(child)
  const report = join(cwd, 'hookbench.xml')
  return {
    code,
    printed: `${stdout}${stderr}`,
    report: existsSync(report) ? readFileSync(report, 'utf8') : '',
  }
}

test('two CI jobs from the guide check their receivers in one sandbox at the same time', async () => {
  const [, , ...words] = adapt(ciScript('shared-sandbox.sh')).trim().split(' ')
  await shop.start(...words, '--port', '0', '--bench-port', '0').line(/Next, in another terminal/)
  const ports = await freePorts(2)

  const jobs = await Promise.all(ports.map((port, index) => runJob(`checkout-${index}`, port)))

  for (const { code, printed, report } of jobs) {
    expect([code, printed]).toEqual([0, expect.stringContaining('2 passed · 0 failed')])
    expect(printed).toMatch(/the world "check-[a-z0-9]{8}" is removed at the end/)
    expect(printed).toContain('(passed to process.start)')
    expect(report).toContain('<property name="world" value="new"')
  }
})
