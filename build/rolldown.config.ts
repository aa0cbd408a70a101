import { defineConfig } from 'rolldown'
import { pathToCheck } from './common-js.ts'
import { ENTRIES, isInstalled, ROOT } from './entries.ts'
import { requireBuiltins } from './require-builtins.ts'
import { writeLicenses } from './licenses.ts'

/** The modules that bin/launch.js loads. */
const PROGRAMS = [
  'sandbox/cli/program',
  'contracts/cli/check-command',
  'contracts/cli/init-command',
  'contracts/cli/load-command',
  'contracts/cli/rehearse-command',
  'contracts/judge/bench-judge',
  'generators/cli/generate-command',
]

/** Modules that both the commands and the library use. The library must not load commands. */
const SHARED = [
  /\/spec\/(generated\/)?(config-schemas|control-operations|delivery|faults|kinds|lifecycles|models|money|notifications|payments|readings|signature-header|world-name)\.ts$/,
  /\/sandbox\/engine\/(core\/[\w-]+|state\/storage-error|delivery\/(exchange-flags|receiver-remedy))\.ts$/,
  /\/sandbox\/api\/control\/event-text\.ts$/,
  /\/sandbox\/adapters\/(data-folder|files|kept-world-place|real-time|secrets|[\w-]+-error)\.ts$/,
]

/**
 * Globals that test environments replace. Jest, `vmThreads`, jsdom and happy-dom use classes of another realm, so `instanceof`
 * fails. The bundle uses Node's own globals instead.
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
 * Bundles the program into a small number of files. `--help` then loads 10 files instead of 758 and takes 50 ms of CPU time
 * instead of 320 ms. Names are not minified, so that stack traces are readable.
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
    // The version check runs before any syntax that an old Node rejects.
    banner: ({ isEntry, name }) => (isEntry && ENTRIES.includes(name) ? `import '${pathToCheck(name)}'` : ''),
    // Without groups, each command would be a separate file, and listing the commands would load thirty files.
    codeSplitting: {
      groups: [
        { name: 'core', test: (id) => SHARED.some((paths) => paths.test(id)), priority: 2 },
        { name: 'commands', test: /\/sandbox\/cli\/[\w-]+-commands?\.ts$/, priority: 1 },
      ],
    },
  },
  plugins: [requireBuiltins(), writeLicenses()],
})
