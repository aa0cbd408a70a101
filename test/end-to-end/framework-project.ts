import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { ROOT, run } from '../support/installed-package.ts'
import { readPageCode } from '../support/pages.ts'
import { serveHttp } from '../support/scripted-server.ts'

const PACKAGES = [
  'vitest@5.1.0',
  'jsdom@31.0.1',
  'happy-dom@21.0.4',
  'jest@30.5.2',
  'jest-environment-jsdom@30.5.2',
  'jest-fixed-jsdom@0.0.11',
  'mocha@12.0.3',
  'express@5.3.0',
  'fast-check@4.10.2',
  'msw@3.0.5',
]

/** A project from `npm init -y`, with Hookbench and all test frameworks from npm. */
interface FrameworkProject {
  readonly folder: string
  write(name: string, content: string): void
  run(line: string): Promise<Ended>
  close(): void
}

interface Ended {
  readonly code: number | null
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
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `./${tarball}`, ...PACKAGES], folder)
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`
  const env = { PATH: path, HOME: folder, NO_COLOR: '1' }
  return {
    folder,
    write(name, content) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    },
    async run(line) {
      const child = spawn(line, { shell: true, cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      const [stdout, stderr] = [readText(child.stdout), readText(child.stderr)]
      const [code] = await once(child, 'close')
      return { code, printed: stripVTControlCharacters(`${await stdout}${await stderr}`) }
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}

/** Serves a page that reports no effects for any object. */
export async function serveNoEffects() {
  const { origin, close } = await serveHttp((_, response) =>
    response.end(JSON.stringify({ effects: 0, state: null })),
  )
  return { url: `${origin}/effects/`, close }
}

const TESTS = 'test/sandbox/in-process'

const SUPPORT = ['test/support/lines-of.ts', 'test/support/receivers.ts']

const GUIDE = new URL('../../docs/guides/testing-in-process.md', import.meta.url)

const ENTRIES = { 'sandbox/index.ts': 'hookbench', 'sandbox/in-process/msw.ts': 'hookbench/msw' }

const isOfPackage = (source: string) => Object.keys(ENTRIES).includes(source)

const PATTERNS = Object.entries(ENTRIES).map(
  ([source, name]) => [`/${source.replaceAll('.', String.raw`\.`)}$`, name] as const,
)

const VITEST_CONFIG = `export default {
  resolve: {
    alias: [${PATTERNS.map(([end, name]) => `{ find: new RegExp(${JSON.stringify(`^.*${end}`)}), replacement: '${name}' }`).join()}],
  },
  test: {
    // happy-dom would block calls to the service, because its simulated page has a different origin.
    environmentOptions: { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } },
  },
}
`

const JEST_CONFIG = `export default {
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\\\.ts$': '<rootDir>/strip-types.mjs' },
  moduleNameMapper: ${JSON.stringify({ '^vitest$': '<rootDir>/vitest-in-jest.mjs', ...Object.fromEntries(PATTERNS) })},
}
`

const STRIP_TYPES = `import { stripTypeScriptTypes } from 'node:module'
const process = (code) => ({ code: stripTypeScriptTypes(code) })
export default { process, processAsync: async (code) => process(code) }
`

const VITEST_IN_JEST = `import { afterEach, expect, jest, test } from '@jest/globals'
const finished = []
afterEach(async () => { for (const run of finished.splice(0).toReversed()) await run() })
export { expect, test, jest as vi }
export const onTestFinished = (run) => void finished.push(run)
`

export function writeInProcessSuite(project: FrameworkProject, folder: string): number {
  const examples = readPageCode(GUIDE).flatMap(({ file, text }) =>
    file === undefined ? [] : [{ file, text }],
  )
  for (const { file, text } of examples) project.write(`${folder}/guide/${file}`, text)
  const tests = readdirSync(join(ROOT, TESTS)).filter((name) => isPublic(join(TESTS, name)))
  for (const file of [...tests.map((name) => `${TESTS}/${name}`), ...SUPPORT, 'spec'])
    cpSync(join(ROOT, file), join(project.folder, folder, file), { recursive: true })
  project.write(`${folder}/vitest.config.mjs`, VITEST_CONFIG)
  project.write(`${folder}/jest.config.mjs`, JEST_CONFIG)
  project.write(`${folder}/strip-types.mjs`, STRIP_TYPES)
  project.write(`${folder}/vitest-in-jest.mjs`, VITEST_IN_JEST)
  return tests.length + examples.filter(({ file }) => file.endsWith('.test.ts')).length
}

function isPublic(file: string): boolean {
  const imported = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/from '(?:\.\.\/)+([^']+)'/g)]
  return imported.every(
    ([, path = '']) =>
      isOfPackage(path) ||
      path.startsWith('spec/') ||
      SUPPORT.includes(path.replace(/^support/, 'test/support')),
  )
}
