import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'
import { writeLicenses } from './sandbox/dashboard/build/licenses.ts'

interface Manifest {
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

const manifest = readManifest('.')

/** Loaded as it is installed: what a user's project has too, has types that are ours, or is only for `generate`. */
const INSTALLED = [
  ...Object.keys(manifest.peerDependencies),
  '@mswjs/data',
  'json-schema-to-typescript',
  'openapi-format',
]

/** What bin/launch.js loads. */
const PROGRAMS = [
  'sandbox/cli/program',
  'contracts/cli/check-command',
  'contracts/cli/init-command',
  'contracts/cli/rehearse-command',
  'contracts/judge/bench-judge',
  'generators/cli/generate-command',
]

/** The sources of what the package exports; all share their modules, so that each class and each state is there once. */
const exported = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [] : target.default.replace(/^\.\/dist\/(.*)\.js$/, '$1'),
)

/** What commands have in common with the library, which must not load commands. */
const SHARED = [
  /\/spec\/(generated\/)?(config-schemas|control-operations|delivery|faults|kinds|lifecycles|models|notifications|payments|readings)\.ts$/,
  /\/sandbox\/engine\/(core\/[\w-]+|state\/log|delivery\/(exchange-flags|receiver-remedy))\.ts$/,
  /\/sandbox\/api\/control\/event-text\.ts$/,
  /\/sandbox\/adapters\/(data-folder|files|real-time|secrets|[\w-]+-error)\.ts$/,
]

/**
 * A program of few files, with most of its dependencies in them: `--help` loads 10 files where it loaded 758, and takes 50 ms of
 * processor time in place of 320. Nothing is renamed, so that a stack says where it comes from.
 */
export default defineConfig({
  input: Object.fromEntries([...exported, ...PROGRAMS].map((path) => [path, `${path}.ts`])),
  platform: 'node',
  external: (id) => INSTALLED.some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    comments: false,
    // Or each command would be a file of its own, and the list of them would load thirty.
    codeSplitting: {
      groups: [
        { name: 'core', test: (id) => SHARED.some((paths) => paths.test(id)), priority: 2 },
        { name: 'commands', test: /\/sandbox\/cli\/[\w-]+-commands?\.ts$/, priority: 1 },
      ],
    },
  },
  plugins: [requireBuiltins(), writeLicenses()],
})

/**
 * Takes modules of Node as `require` does: an import reads each export at once, among them some that Node makes when they are
 * first read. `node:http` alone loads all of `WebSocket`, 30 ms.
 */
function requireBuiltins(): Plugin {
  return {
    name: 'require-builtins',
    renderChunk: (code) =>
      code.replaceAll(
        /^import (?:(?<whole>[\w$]+),? ?)?(?:\{ (?<names>[^}]+) \})? ?from "(?<id>node:[\w/]+)";$/gm,
        (_, ...matched) => {
          const { whole, names, id } = matched.at(-1)
          const required = `globalThis.process.getBuiltinModule("${id}")`
          const targets = [whole, names && `{ ${names.replaceAll(' as ', ': ')} }`]
          return targets.flatMap((target) => (target ? [`const ${target} = ${required};`] : [])).join(' ')
        },
      ),
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
