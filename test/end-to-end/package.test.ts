import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VERSION } from '../../sandbox/engine/core/version.ts'
import { installPackage, linkDependencies, run as runToEnd } from '../support/installed-package.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
const folder = mkdtempSync(join(tmpdir(), 'hookbench-package-'))
const installed = join(folder, 'node_modules/hookbench')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const run = (command: string, args: readonly string[], cwd = folder) => runToEnd(command, args, cwd)

const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
}

beforeAll(() => void installPackage(folder), 600_000)

afterAll(() => rmSync(folder, { recursive: true }))

test('the version is the same in the program and in package.json', () => {
  expect(manifest.version).toBe(VERSION)
})

test('bundlers, Node and TypeScript can import the package', async () => {
  const { messages } = await publint({ pkgDir: installed, strict: true })

  expect(messages).toEqual([])
})

test('the package contains the dashboard with at most 70 kB of compressed files', () => {
  const at = join(installed, 'dist/dashboard')
  const files = readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(at, name)).isFile())
    .map((name) => ({ name, bytes: gzipSync(readFileSync(join(at, name))).byteLength }))

  expect(files.map(({ name }) => name.replace(/-.*(?=\.)/, '').replace(/^assets./, ''))).toEqual(
    expect.arrayContaining([
      'index.html',
      'index.js',
      'style.css',
      'icon.svg',
      'virtual_commands.js',
      'licenses.txt',
    ]),
  )
  expect(files.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(70_000)
})

const COPIED =
  /^spec\/(json-values|kinds|parse-notification|schema-(check|unions|validator)|validator)\.ts$|^contracts\/config\/templates\//

test('the installed package contains no tests, no secrets and no source files except the copied files', () => {
  const names = readdirSync(installed, { recursive: true, encoding: 'utf8' })

  expect(
    names.filter(
      (name) =>
        /(?<!\.d)\.ts$|\.test\.|\.pem$|\.yaml$|\.hookbench|^dist\/generators\/(main|generate)\./.test(name) &&
        !COPIED.test(name),
    ),
  ).toEqual([])
})

const builtFiles = () =>
  readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => {
      const text = readFileSync(join(installed, 'dist', name), 'utf8')
      const sources = [...text.matchAll(/^\/\/ ([\w./@-]+\.\w+)$/gm)].map(([, source = '']) => source)
      const loads = [...text.matchAll(/^(?:import|export) .*"(\.[^"]+)";$/gm)].map(([, path = '']) =>
        join(dirname(name), path),
      )
      return { name, sources, loads }
    })

test('each source file is bundled in exactly one output file so that its classes and state are unique', () => {
  const sources = builtFiles().flatMap((file) => file.sources)

  expect(sources).toContain('sandbox/engine/core/api-error.ts')
  expect(sources.filter((source, index) => sources.indexOf(source) !== index)).toEqual([])
})

test('the library and the commands load only required modules', () => {
  const files = new Map(builtFiles().map((file) => [file.name, file]))
  const loadedBy = (name: string): string[] => {
    const names = new Set([name])
    for (const each of names) for (const other of files.get(each)?.loads ?? []) names.add(other)
    return [...names].flatMap((each) => files.get(each)?.sources ?? [])
  }
  const [library, program] = [loadedBy('sandbox/index.js'), loadedBy('sandbox/cli/program.js')]

  expect(library).toContain('sandbox/engine/state/store.ts')
  expect(
    library.filter((source) => /\/cli\/|commander|certificate-authority\.ts|undici/.test(source)),
  ).toEqual([])
  expect(program).toContain('sandbox/cli/job-commands.ts')
  expect(
    program.filter((source) =>
      /\/engine\/state\/store|\.json$|undici|hono|jose|certificate-authority\.ts/.test(source),
    ),
  ).toEqual([])
})

test('the program file is executable in a checkout', () => {
  expect(statSync(join(ROOT, manifest.bin.hookbench)).mode & 0o111).toBe(0o111)
})

test("a user's test compiles against the package and delivers notifications", () => {
  const source = `
    import { createSandbox, type Sandbox } from 'hookbench'
    import { runChecks, type RunResult } from 'hookbench/contracts'
    import { mswHandlers } from 'hookbench/msw'
    import { sample } from 'fast-check'
    import { notificationsOf } from 'hookbench/arbitraries'
    import { examples } from 'hookbench/examples'
    import type { Notification, TolerantNotification } from 'hookbench/types'
    import { parseNotification } from 'hookbench/validate'
    const bodies: Notification[] = [...examples.map(({ body }) => body), ...sample(notificationsOf('users'), 5)]
    const readable: TolerantNotification[] = bodies
    const parsed = readable.every((body) => parseNotification(body).ok)
    const states: string[] = []
    const check: (url: string) => Promise<RunResult> = (url) => runChecks({ receiver: { url } })
    const sandbox: Sandbox = await createSandbox({
      seed: 1,
      receivers: {
        async items(request) {
          const body = JSON.parse(await request.text())
          if (body.items) states.push(body.items.state)
          return new Response(null, { status: 204 })
        },
      },
    })
    const item = await sandbox.create('items', { amount: 1200 })
    await sandbox.change('items', item.id, { state: 'completed' })
    const amount: number | undefined = sandbox.data.items.findFirst()?.amount
    console.log(JSON.stringify({ states, amount, parsed, handlers: mswHandlers(sandbox).length }))
    await sandbox.close()
  `
  writeFileSync(join(folder, 'user.ts'), source)
  const settings = { compilerOptions: COMPILER_OPTIONS, files: ['user.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))

  run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder])
  const output = run(process.execPath, ['user.ts'])

  expect(JSON.parse(output)).toEqual({
    states: ['pending', 'completed'],
    amount: 1200,
    parsed: true,
    handlers: 1,
  })
})

test('the configuration of init compiles against the package and its schema', () => {
  const at = join(folder, 'configured')
  linkDependencies(at, 'msw')
  cpSync(installed, join(at, 'node_modules/hookbench'), { recursive: true })
  run(process.execPath, [join(installed, manifest.bin.hookbench), 'init'], at)
  const files = ['hookbench.config.ts']
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }))

  run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', at])
  const script = `
    import schema from 'hookbench/config.schema.json' with { type: 'json' }
    console.log(schema.$schema)
  `
  const dialect = run(process.execPath, ['--input-type=module', '--eval', script], at)

  expect(dialect).toBe('https://json-schema.org/draft/2020-12/schema\n')
})

test.each([
  ['msw', '3.0.5'],
  ['msw-2', '2.15.0'],
])('the example test compiles and runs with %s %s', (name, version) => {
  const platform = join(folder, `with-${name}`)
  linkDependencies(platform, name)
  cpSync(installed, join(platform, 'node_modules/hookbench'), { recursive: true })
  const files = ['in-your-tests.test.ts', 'my-receiver.ts']
  for (const file of files) cpSync(join(ROOT, 'test/examples', file), join(platform, file))
  writeFileSync(join(platform, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }))

  run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', platform])
  const vitest = join(platform, 'node_modules/vitest/vitest.mjs')
  run(process.execPath, [vitest, 'run', '--reporter=json', '--outputFile=report.json'], platform)

  const { version: found } = JSON.parse(readFileSync(join(platform, 'node_modules/msw/package.json'), 'utf8'))
  const report = JSON.parse(readFileSync(join(platform, 'report.json'), 'utf8'))
  expect([found, report.numPassedTests, report.numTotalTests]).toEqual([version, 1, 1])
})
