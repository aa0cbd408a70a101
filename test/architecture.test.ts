import { expect, test } from 'vitest'
import { FOLDERS, RULES } from './support/architecture-rules.ts'
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

const present = violations(readSourceTree(FOLDERS))

test.each(RULES)('$name', ({ name }) => {
  expect(present.filter(({ rule }) => rule === name)).toEqual([])
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
  ['contracts/run/run-checks.ts', `import { createSandbox } from '../sandbox/index.ts'`],
  ['generators/types.ts', 'const line = `import { x } from "../sandbox/x.ts" ${name({ a: `${b}` })}`'],
  [
    'sandbox/adapters/transport/undici-transport.ts',
    `import { Client } from 'undici'\nsetTimeout(run, Date.now())`,
  ],
  ['sandbox/adapters/data-folder.ts', `import fs from 'node:fs'\nprocess.pid`],
  ['sandbox/api/control/objects.ts', `import { problemOf } from '../http/read-input.ts'`],
  ['sandbox/engine/delivery/lane.ts', `import { ApiError } from '../http/api-error.ts'\nnew Date(0)`],
  [
    'sandbox/engine/state/store.ts',
    `/** Not fetch() nor Date.now(). */\nconst text = 'fetch(' + /["]/.source // process.exit()`,
  ],
  ['sandbox/engine/core/version.ts', 'export const VERSION = "1"\n'.repeat(250)],
  [
    'spec/generated/validators.ts',
    `import ucs2length from 'ajv/dist/runtime/ucs2length.js'\n${'\n'.repeat(300)}`,
  ],
])

const PLANTED: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['spec imports nothing of ours', 'spec/x.ts', `export { a } from '../generators/types.ts'`],
  ['generators import only spec', 'generators/x.ts', `import type { A } from '../sandbox/index.ts'`],
  ['sandbox imports only spec', 'sandbox/x.ts', `import {\n  a,\n} from '../contracts/run/run-checks.ts'`],
  [
    'contracts import only spec and the door of sandbox',
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
  ['the data folder asks the process only for its id', 'sandbox/adapters/data-folder.ts', 'process.cwd()'],
  [
    'the disk is touched only by adapters and programs, and for the spec by its document',
    'spec/readings.ts',
    `import { readFile } from 'node:fs/promises'`,
  ],
  ['@hono/node-server is named in one place', 'sandbox/api/http/app.ts', `import '@hono/node-server'`],
  ['@mswjs/data is named in one place', 'sandbox/in-process/create-sandbox.ts', `import '@mswjs/data'`],
  ['ajv is named in one place', 'sandbox/http/x.ts', `import { Ajv } from 'ajv/dist/2020.js'`],
  ['commander is named in one place', 'contracts/x.ts', `import { Command } from "commander"`],
  ['hono is named in one place', 'sandbox/api/http/pipeline.ts', `import { Hono } from 'hono'`],
  ['ipaddr.js is named in one place', 'sandbox/delivery/x.ts', `import ipaddr from 'ipaddr.js'`],
  ['jose is named in one place', 'sandbox/http/x.ts', `import { jwtVerify } from 'jose'`],
  ['vitest is named in one place', 'contracts/frameworks/node-test.ts', `import { test } from 'vitest'`],
  ['msw is named in one place', 'sandbox/adapters/x.ts', `import { http } from 'msw'`],
  ['json-schema-to-typescript is named in one place', 'spec/x.ts', `import 'json-schema-to-typescript'`],
  ['openapi-format is named in one place', 'generators/cli/x.ts', `import 'openapi-format'`],
  ['openapi3-ts is named in one place', 'sandbox/x.ts', `import type { A } from 'openapi3-ts/oas31'`],
  ['undici is named in one place', 'contracts/probes/x.ts', `import { Client } from 'undici'`],
  ['no source file is longer than 250 lines', 'sandbox/x.ts', 'export {}\n'.repeat(251)],
  ['there are no default exports', 'sandbox/x.ts', 'export default function run() {}'],
  ['there are no default exports', 'sandbox/x.ts', 'export { run as default }'],
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
