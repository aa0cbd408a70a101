import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FrameworkProject } from './framework-project.ts'
import { ROOT } from './installed-package.ts'
import { readPageCode } from './page-code.ts'

const TESTS = 'test/sandbox/in-process'
const SUPPORT = ['test/support/lines-of.ts', 'test/support/receivers.ts']
const GUIDE = new URL('../../docs/guides/testing-in-process.md', import.meta.url)

/** Sources that the package exports. */
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
    // A receiver that asks the service back does so from another origin than the page that happy-dom pretends to have.
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

/** The part of vitest that the tests use. */
const VITEST_IN_JEST = `import { afterEach, expect, jest, test } from '@jest/globals'
const finished = []
afterEach(async () => { for (const run of finished.splice(0).toReversed()) await run() })
export { expect, test, jest as vi }
export const onTestFinished = (run) => void finished.push(run)
`

/** Writes the examples of the guide, and the in-process tests that use only what the package exports. Returns the count of files. */
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
