import { defineConfig } from 'rolldown'
import { pathToCheck } from './common-js.ts'
import { ENTRIES, isInstalled, ROOT } from './entries.ts'
import { requireBuiltins } from './require-builtins.ts'
import { writeLicenses } from '../sandbox/dashboard/build/licenses.ts'

/** What bin/launch.js loads, and what other runtimes start Node with. */
const PROGRAMS = [
  'sandbox/cli/program',
  'contracts/cli/check-command',
  'contracts/cli/init-command',
  'contracts/cli/load-command',
  'contracts/cli/rehearse-command',
  'contracts/judge/bench-judge',
  'contracts/frameworks/serve-run',
  'generators/cli/generate-command',
]

/** What commands have in common with the library, which must not load commands. */
const SHARED = [
  /\/spec\/(generated\/)?(config-schemas|control-operations|delivery|faults|kinds|lifecycles|models|money|notifications|payments|readings|signature-header|world-name)\.ts$/,
  /\/sandbox\/engine\/(core\/[\w-]+|state\/storage-error|delivery\/(exchange-flags|receiver-remedy))\.ts$/,
  /\/sandbox\/api\/control\/event-text\.ts$/,
  /\/sandbox\/adapters\/(data-folder|files|kept-world-place|real-time|secrets|[\w-]+-error)\.ts$/,
]

/**
 * Globals that a test environment replaces: Jest, `vmThreads`, jsdom and happy-dom have classes of another realm than the modules of
 * Node have, so that `instanceof` fails between them. The package takes those of Node.
 */
const OF_NODE: Record<string, [module: string, name: string]> = {
  crypto: ['node:crypto', 'webcrypto'],
  structuredClone: [`${ROOT}build/realm.ts`, 'structuredClone'],
  TextDecoder: ['node:util', 'TextDecoder'],
  TextEncoder: ['node:util', 'TextEncoder'],
  Uint8Array: [`${ROOT}build/realm.ts`, 'Uint8Array'],
  URL: ['node:url', 'URL'],
  URLSearchParams: ['node:url', 'URLSearchParams'],
}

/**
 * A program of few files, with its dependencies in them: `--help` loads 10 files where it loaded 758, and takes 50 ms of
 * processor time in place of 320. Nothing is renamed, so that a stack says where it comes from.
 */
export default defineConfig({
  input: Object.fromEntries([...ENTRIES, ...PROGRAMS].map((path) => [path, `${path}.ts`])),
  platform: 'node',
  external: isInstalled,
  transform: { inject: OF_NODE },
  resolve: { alias: { prettier: `${ROOT}build/prettier.ts` } },
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    comments: false,
    // Before whatever an old Node would stop at.
    banner: ({ isEntry, name }) => (isEntry && ENTRIES.includes(name) ? `import '${pathToCheck(name)}'` : ''),
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
