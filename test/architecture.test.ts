import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FOLDERS, RULES } from './support/architecture-rules.ts'
import { fileCycles, folderCycles, importsAgainstOrder, looseFiles, ROOMS } from './support/rooms.ts'
import { codeOf, importsOf, readSourceTree, type SourceTree } from './support/source-tree.ts'

interface Violation {
  readonly path: string
  readonly rule: string
  readonly found: string
}

function violations(tree: SourceTree): Violation[] {
  return [...tree].flatMap(([path, text]) => {
    const searched = { imports: importsOf(path, text), code: [codeOf(text)], text: [text] }
    return RULES.filter(
      (rule) => rule.files?.test(path) !== false && rule.except?.test(path) !== true,
    ).flatMap(({ name, what, forbidden }) =>
      searched[what].flatMap((part) => {
        const found = forbidden.exec(part)?.[0]
        if (found === undefined) return []
        return [{ path, rule: name, found: what === 'imports' ? part : found.slice(-60) }]
      }),
    )
  })
}

const sources = readSourceTree(FOLDERS)
const present = violations(sources)

test.each(RULES)('$name', ({ name }) => {
  expect(present.filter(({ rule }) => rule === name)).toEqual([])
})

test('what the sources load is installed where nothing is tested or built, as the action runs them', () => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  const { dependencies } = read('.bundled/package.json')
  const { peerDependencies } = read('package.json')
  const installed = Object.keys({ ...dependencies, ...peerDependencies, hookbench: '' })
  // The dashboard runs in a browser, as it was built.
  const loaded = [...sources].flatMap(([path, text]) =>
    path.startsWith('sandbox/dashboard/')
      ? []
      : [
          ...text.matchAll(
            /^(?:import|export) (?!type )[^;'`]*?from '(?!node:)((?:@[^/']+\/)?[^./'][^/']*)/gm,
          ),
        ].map(([, name = '']) => ({ path, name })),
  )

  expect(loaded.length).toBeGreaterThan(20)
  expect(loaded.filter(({ name }) => !installed.includes(name))).toEqual([])
})

test('every room has files', () => {
  const empty = Object.entries(ROOMS).flatMap(([folder, rooms]) =>
    rooms.filter((room) => ![...sources.keys()].some((path) => path.startsWith(`${folder}/${room}`))),
  )
  expect(empty).toEqual([])
})

test('no file lies beside the rooms', () => {
  expect(looseFiles(sources)).toEqual([])
})

test('no room imports one that stands after it', () => {
  expect(importsAgainstOrder(sources)).toEqual([])
})

test('no files import each other in a ring', () => {
  expect(fileCycles(sources)).toEqual([])
})

test('no folders import each other in a ring', () => {
  expect(folderCycles(sources)).toEqual([])
})

/** A tree in order, with what comes close to a violation and is none. */
const ORDERLY: SourceTree = new Map([
  ['bin/hookbench.js', `import('./launch.js')`],
  [
    'bin/launch.js',
    `load('sandbox/cli/program'); load('contracts/cli/check-command'); load('generators/cli/generate-command'); process.argv`,
  ],
  [
    'contracts/reference-receiver/store.ts',
    `import { DatabaseSync } from 'node:sqlite'\nimport type { A } from '../../spec/types.ts'\nsetTimeout(run, Date.now())`,
  ],
  [
    'contracts/run/run-checks.ts',
    `import { createSandbox } from '../../sandbox/index.ts'\nimport { a } from '../../sandbox/internal.ts'`,
  ],
  ['generators/files/types.ts', 'const line = `import { x } from "../sandbox/x.ts" ${name({ a: `${b}` })}`'],
  [
    'sandbox/adapters/transport/undici-transport.ts',
    `import { Client } from 'undici'\nsetTimeout(run, Date.now())`,
  ],
  ['sandbox/adapters/data-folder.ts', `import fs from 'node:fs'\nprocess.pid`],
  ['sandbox/api/control/objects.ts', `import { reply } from '../operations/operation.ts'`],
  ['sandbox/engine/delivery/attempt.ts', `import { ApiError } from '../core/api-error.ts'\nnew Date(0)`],
  [
    'sandbox/engine/state/store.ts',
    `/** Not fetch() nor Date.now(). */\nconst text = 'fetch(' + /["]/.source // process.exit()`,
  ],
  ['sandbox/engine/core/version.ts', 'export const VERSION = "1"\n'.repeat(250)],
  ['spec/generated/examples.ts', '\n'.repeat(300)],
])

const PLANTED: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['spec imports nothing of ours', 'spec/x.ts', `export { a } from '../generators/files/types.ts'`],
  ['generators import only spec', 'generators/x.ts', `import type { A } from '../sandbox/index.ts'`],
  ['sandbox imports only spec', 'sandbox/x.ts', `import {\n  a,\n} from '../contracts/run/run-checks.ts'`],
  [
    'contracts import only spec and the doors of sandbox',
    'contracts/x.ts',
    `import '../sandbox/engine/core/version.ts'`,
  ],
  [
    'receivers are a platform of their own: they know the types and the parser that anybody can import',
    'contracts/reference-receiver/x.ts',
    `import { isDue } from '../consequences.ts'`,
  ],
  ['checks know no receiver', 'contracts/checks/x.ts', `import '../reference-receiver/receiver.ts'`],
  ['bin loads only the entries of programs', 'bin/x.js', `load('sandbox/compose/assemble')`],
  ['time is read only by adapters', 'sandbox/x.ts', 'const a = `at ${`${new Date()}`}`'],
  ['time is read only by adapters', 'contracts/x.ts', `import { setTimeout } from 'node:timers/promises'`],
  ['chance is drawn only by adapters', 'contracts/x.ts', 'const a = b / randomUUID().length / 2'],
  ['the network is called only by adapters', 'sandbox/http/x.ts', `const a = await fetch('https://x.test')`],
  ['sockets and servers are known only to adapters', 'sandbox/http/x.ts', `import net from 'node:net'`],
  ['the process is touched only by programs', 'spec/x.ts', `if (/"/.test(a)) b = process.env['A']`],
  ['the process is touched only by programs', 'contracts/reference-receiver/x.ts', 'process.exitCode = 1'],
  [
    'commands are given the environment of the process, and ended as a group',
    'contracts/probes/processes.ts',
    'process.cwd()',
  ],
  ['the data folder asks the process only for its id', 'sandbox/adapters/data-folder.ts', 'process.cwd()'],
  [
    'the disk is touched only by adapters and programs, and for the spec by its document and the files of the package',
    'spec/readings.ts',
    `import { readFile } from 'node:fs/promises'`,
  ],
  [
    'SQL is written only in the schema and the queries of the store',
    'sandbox/adapters/sqlite/x.ts',
    'const text = `SELECT * FROM jobs`',
  ],
  ['@mswjs/data is named in one place', 'sandbox/in-process/create-sandbox.ts', `import '@mswjs/data'`],
  ['@peculiar/x509 is named in one place', 'sandbox/cli/x.ts', `import '@peculiar/x509'`],
  ['ajv is named in one place', 'sandbox/http/x.ts', `import { Ajv } from 'ajv/dist/2020.js'`],
  ['commander is named in one place', 'contracts/x.ts', `import { Command } from "commander"`],
  [
    'eventsource-parser is named in one place',
    'sandbox/cli/events-command.ts',
    `import 'eventsource-parser'`,
  ],
  ['ipaddr.js is named in one place', 'sandbox/delivery/x.ts', `import ipaddr from 'ipaddr.js'`],
  ['jose is named in one place', 'sandbox/http/x.ts', `import { jwtVerify } from 'jose'`],
  ['vitest is named in one place', 'contracts/frameworks/node-test.ts', `import { test } from 'vitest'`],
  ['msw is named in one place', 'sandbox/adapters/x.ts', `import { http } from 'msw'`],
  ['json-schema-to-typescript is named in one place', 'spec/x.ts', `import 'json-schema-to-typescript'`],
  ['openapi-format is named in one place', 'generators/cli/x.ts', `import 'openapi-format'`],
  ['openapi3-ts is named in one place', 'sandbox/x.ts', `import type { A } from 'openapi3-ts/oas31'`],
  ['preact is named in one place', 'sandbox/cli/x.ts', `import { h } from 'preact'`],
  [
    '@preact/signals is named in one place',
    'sandbox/client/x.ts',
    `import { signal } from '@preact/signals'`,
  ],
  ['undici is named in one place', 'contracts/probes/x.ts', `import { Client } from 'undici'`],
  ['no source file is longer than 250 lines', 'sandbox/x.ts', 'export {}\n'.repeat(251)],
  ['there are no default exports', 'sandbox/x.ts', 'export default function run() {}'],
  ['there are no default exports', 'sandbox/x.ts', 'export { run as default }'],
  [
    'errors are recognised by isError(), also those of another realm',
    'sandbox/x.ts',
    'if (error instanceof Error) throw error',
  ],
  ['no program ends itself abruptly', 'sandbox/cli/x.ts', 'process.exit(1)'],
  ['nothing is left to be done', 'spec/x.ts', `// ${['TO', 'DO'].join('')}: later`],
]

test('no rule is broken by a tree in order', () => {
  expect(violations(ORDERLY)).toEqual([])
})

test.each(PLANTED)('"%s" is broken by %s', (rule, path, text) => {
  const broken = violations(new Map([...ORDERLY, [path, text]]))

  expect(broken.map((violation) => [violation.rule, violation.path])).toEqual([[rule, path]])
})

test('every rule has its violation', () => {
  expect(new Set(PLANTED.map(([rule]) => rule))).toEqual(new Set(RULES.map(({ name }) => name)))
})

const withFiles = (...files: readonly (readonly [path: string, text: string])[]) =>
  new Map([...ORDERLY, ...files])

test('a loose file is found', () => {
  const tree = withFiles(['sandbox/x.ts', ''], ['sandbox/engine/x.ts', ''], ['contracts/x.ts', ''])

  expect(looseFiles(ORDERLY)).toEqual([])
  expect(looseFiles(tree)).toEqual(['sandbox/x.ts', 'sandbox/engine/x.ts', 'contracts/x.ts'])
})

test('an import against the order is found, of a type or of a door too', () => {
  const tree = withFiles(
    ['sandbox/engine/state/x.ts', `import type { A } from '../../api/http/app.ts'`],
    ['sandbox/cli/x.ts', `export { a } from '../index.ts'`],
    ['contracts/toolkit/x.ts', `const a = await import('../catalogue.ts')`],
    ['contracts/finding.ts', `import { a } from './check.ts'`],
    ['sandbox/cli/y.ts', `import { a } from '../engine/core/ports.ts'`],
  )

  expect(importsAgainstOrder(ORDERLY)).toEqual([])
  expect(importsAgainstOrder(tree)).toEqual([
    'sandbox/engine/state/x.ts -> sandbox/api/http/app.ts',
    'sandbox/cli/x.ts -> sandbox/index.ts',
    'contracts/toolkit/x.ts -> contracts/catalogue.ts',
    'contracts/finding.ts -> contracts/check.ts',
  ])
})

test('a ring of files is found, of types too', () => {
  const tree = withFiles(
    ['spec/a.ts', `import { b } from './b.ts'`],
    ['spec/b.ts', `import type { C } from './c.ts'`],
    ['spec/c.ts', `import { b } from './b.ts'`],
  )

  expect(fileCycles(ORDERLY)).toEqual([])
  expect(fileCycles(tree)).toEqual([['spec/b.ts', 'spec/c.ts']])
})

test('a ring of folders is found where no files are in one', () => {
  const tree = withFiles(
    ['generators/a/one.ts', `import { b } from '../b/one.ts'`],
    ['generators/b/two.ts', `import { a } from '../a/two.ts'`],
  )

  expect(fileCycles(tree)).toEqual([])
  expect(folderCycles(ORDERLY)).toEqual([])
  expect(folderCycles(tree)).toEqual([['generators/a', 'generators/b']])
})
