import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { fileURLToPath } from 'node:url'
import { run } from './installed-package.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Where the packages without a script of their own have the programs. */
const PROGRAMS = ['node_modules/@oven/bun-linux-x64/bin', 'node_modules/@deno/linux-x64-glibc']
const PACKAGES = [
  'vitest@5.1.0',
  'jsdom@31.0.1',
  'happy-dom@21.0.4',
  'jest@30.5.2',
  'jest-environment-jsdom@30.5.2',
  'jest-fixed-jsdom@0.0.11',
  'mocha@12.0.3',
  '@oven/bun-linux-x64@1.4.5',
  '@deno/linux-x64-glibc@2.9.6',
  // What the pages about tests install besides.
  'express@5.3.0',
  'fast-check@4.10.2',
  'msw@3.0.5',
]

/** A project of a user as `npm init -y` makes it, with Hookbench and all test frameworks installed by npm. */
export interface FrameworkProject {
  readonly folder: string
  write(name: string, content: string): void
  /** Runs a command line to its end. */
  run(line: string): Promise<Ended>
  close(): void
}

interface Ended {
  readonly code: number | null
  /** Without colours. */
  readonly printed: string
}

export function openFrameworkProject(): FrameworkProject {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-frameworks-'))
  run('npm', ['pack', '--pack-destination', folder], ROOT)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'platform', private: true, type: 'commonjs' }),
  )
  // None of them needs a script of its own to be installed.
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `./${tarball}`, ...PACKAGES], folder)
  const path = [
    dirname(process.execPath),
    ...PROGRAMS.map((program) => join(folder, program)),
    process.env['PATH'],
  ]
  const env = { PATH: path.join(delimiter), HOME: folder, NO_COLOR: '1' }
  return {
    folder,
    write(name, content) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    },
    async run(line) {
      const child = spawn(line, { shell: true, cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
      const [code] = await once(child, 'close')
      return { code, printed: stripVTControlCharacters(`${await stdout}${await stderr}`) }
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}

/** A page that says of every object that nothing was done about it. */
export async function serveNoEffects() {
  const server = createServer((_, response) => response.end(JSON.stringify({ effects: 0, state: null })))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/effects/`, close: () => server.close() }
}
