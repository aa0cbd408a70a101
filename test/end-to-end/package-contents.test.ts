import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BARS, installPackage, readRows, run, TARBALL, weigh } from '../support/installed-package.ts'
import { findBroken, listLinks, readPageCode } from '../support/pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookbench-contents-'))

const installed = join(folder, 'node_modules/hookbench')

const PAGE = new URL('../../docs/reference/package.md', import.meta.url)

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

interface Entry {
  readonly require: Target
  readonly default: Target
}

interface Target {
  readonly types: string
  readonly default: string
}

const exported: readonly (readonly [path: string, target: Entry | string])[] = Object.entries(
  manifest.exports,
)

const entries = exported.flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [[path.replace(/^\./, 'hookbench'), target] as const],
)

beforeAll(() => void installPackage(folder), 600_000)

afterAll(() => rmSync(folder, { recursive: true }))

const filesWith = (ending: RegExp) =>
  readdirSync(installed, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !name.startsWith('dist/dashboard/'))
    .map((name) => ({ name, text: readFileSync(join(installed, name), 'utf8') }))

test('the package imports only its own files, built-in Node modules and peer dependencies', () => {
  const users = new Set([...Object.keys(manifest.peerDependencies), 'hookbench', ...builtinModules])
  const loaded = filesWith(/\.(js|cjs|[cm]?ts)$/).flatMap(({ name, text }) =>
    [
      ...text.matchAll(/^(?:import|export)\b[^;]*? from ["']((?:@[^/"']+\/)?[^./"'][^/"']*)[^"']*["'];?$/gm),
    ].flatMap(([, id = '']) => (users.has(id) || id.startsWith('node:') ? [] : [`${name}: ${id}`])),
  )

  expect(loaded).toEqual([])
})

test('the package contains only the receiver files that init writes', () => {
  const ofReceiver = filesWith(/\.\w+$/).filter(({ name, text }) =>
    /reference-receiver/.test(`${name}\n${[...text.matchAll(/^\/\/.*$/gm)].join('\n')}`),
  )

  expect(ofReceiver.map(({ name }) => name.replace('contracts/reference-receiver/starter/', ''))).toEqual([
    'main.mjs',
    'receiver.mjs',
    'service.mjs',
    'store.mjs',
  ])
})

test('each package entry has types for ES modules, CommonJS and resolvers without exports support', () => {
  const { typesVersions, types, main } = manifest
  const mapped = exported.flatMap(([path, target]) => {
    if (path === '.' || path === './package.json') return []
    return [[path.slice(2), [typeof target === 'string' ? target : target.require.types]] as const]
  })

  expect([types, main]).toEqual(Object.values(manifest.exports['.'].require))
  expect(typesVersions['*']).toEqual(Object.fromEntries(mapped))
})

test('require() returns the same objects as import for every package entry', () => {
  const script = `
    const { createRequire } = await import('node:module')
    const require = createRequire(process.cwd() + '/')
    const differing = []
    for (const name of ${JSON.stringify(entries.map(([name]) => name).filter((name) => name !== 'hookbench/vitest'))}) {
      const [imported, required] = [await import(name), require(name)]
      for (const key of Object.keys(imported)) if (imported[key] !== required[key]) differing.push(name + ': ' + key)
    }
    console.log(JSON.stringify(differing))
  `
  const printed = run(process.execPath, ['--input-type=module', '--eval', script], folder)

  expect(JSON.parse(printed)).toEqual([])
})

test.each(['import', 'require'])('with an old Node, the %s names the required version in one line', (way) => {
  const load = way === 'import' ? `await import('hookbench')` : `require('hookbench')`
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
    void (async () => { try { ${load} } catch (error) { console.log(error.stack) } })()
  `
  const printed = run(process.execPath, ['--input-type=commonjs', '--eval', script], folder)

  expect(printed).toBe(
    'Error: Cannot load hookbench on Node 20.20.2: it needs 22.19 or newer; run this under such a Node\n',
  )
})

test('the program names the required Node version and suggests the single file when Node is too old', () => {
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
    console.error = console.log
    require(${JSON.stringify(join(installed, 'bin/node-version.cjs'))}).checkNode()
    process.exitCode = process.exitCode === 2 ? 0 : 1
  `
  const printed = run(process.execPath, ['--input-type=commonjs', '--eval', script], folder)

  expect(printed).toMatch(
    /^hookbench: Cannot run on Node 20\.20\.2: it needs 22\.19 or newer\. Install a newer Node, or the single file, which needs no Node, from https:\S+\/install\. /,
  )
})

test('no page of the package contains a dead link', () => {
  // The site tests check the links in docs/, so docs/ is excluded here.
  const pages = filesWith(/\.md$/).filter(({ name }) => !name.startsWith('docs/'))
  const broken = pages.flatMap(({ name, text }) =>
    listLinks(text).flatMap((link) => {
      const why = findBroken(link, name, installed)
      return why === undefined ? [] : [`${name}: ${link}: ${why}`]
    }),
  )

  expect(pages.map(({ name }) => name)).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md']))
  expect(pages.flatMap(({ text }) => listLinks(text)).length).toBeGreaterThan(20)
  expect(broken).toEqual([])
})

test('the package has the license of each bundled package', () => {
  const text = readFileSync(join(installed, 'dist/licenses.txt'), 'utf8')
  const { dependencies } = JSON.parse(
    readFileSync(new URL('../../build/bundled/package.json', import.meta.url), 'utf8'),
  )
  const parts = text.split(/^(?=(?:@[\w.-]+\/)?[\w.-]+ \d+\.\d+\.\d+: [\w.-]+$)/m)
  const names = parts.map((part) => part.replace(/ [^]*/, ''))
  const wanted = Object.entries<string>(dependencies).map(
    ([name, version]) => version.match(/^npm:(.*)@/)?.[1] ?? name,
  )

  expect(names).toEqual(
    expect.arrayContaining([...wanted, 'es-toolkit', 'mutative', '@standard-schema/spec']),
  )
  expect(parts.filter((part) => part.length < 500)).toEqual([])
})

const page = readPageCode(PAGE)

const blockOf = (file: string) => page.find((block) => block.file === file)?.text ?? ''

test('a configuration file can refer to the JSON schema of the package', () => {
  const config = JSON.parse(blockOf('hookbench.config.json'))
  writeFileSync(join(folder, 'hookbench.config.json'), JSON.stringify(config))
  const program = join(installed, manifest.bin.hookbench)

  const { status, stderr } = spawnSync(process.execPath, [program, 'check', 'registration'], {
    cwd: folder,
    encoding: 'utf8',
  })

  expect(join(folder, config.$schema)).toBe(join(installed, manifest.exports['./config.schema.json']))
  expect(JSON.parse(readFileSync(join(folder, config.$schema), 'utf8')).properties).toHaveProperty('$schema')
  // Exit code 3 (receiver unreachable) shows that the command has accepted the configuration.
  expect([status, stderr]).toEqual([3, ''])
})

test('the CommonJS code on the package page runs', () => {
  writeFileSync(join(folder, 'item.cjs'), blockOf('item.cjs'))

  expect(run(process.execPath, ['item.cjs'], folder)).toBe('1200\n')
})

test('the package page lists every export', () => {
  const named = readFileSync(PAGE, 'utf8').matchAll(/^\| `(hookbench[\w./-]*)` +\|/gm)
  const paths = exported.map(([path]) => path.replace(/^\./, 'hookbench'))

  expect([...named].map(([, name = '']) => name).toSorted()).toEqual(
    paths.filter((path) => path !== 'hookbench/package.json').toSorted(),
  )
})

test('the package size matches its documented size and stays below the limit', () => {
  const { bytes, files } = weigh(installed)
  const download = statSync(join(folder, TARBALL)).size
  const said = readRows(readFileSync(PAGE, 'utf8'))
  const megabytes = (name: string) => (said.get(name) ?? 0) * 1_000_000

  expect(bytes).toBeLessThanOrEqual(BARS.bytes)
  expect([said.get('Number of installed packages'), manifest.dependencies]).toEqual([1, undefined])
  for (const [actual, stated] of [
    [download, megabytes('Download')],
    [bytes, megabytes('Unpacked')],
    [files, said.get('Files') ?? 0],
  ] as const) {
    expect(actual / stated).toBeGreaterThan(0.85)
    expect(actual / stated).toBeLessThan(1.15)
  }
})
