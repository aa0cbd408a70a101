import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'
import { listCommands } from './page-commands.ts'
import { writeLicenses } from './licenses.ts'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Builds static files for browsers of the last three years. */
export const viteConfig: InlineConfig = {
  configFile: false,
  root: at('sandbox/dashboard'),
  base: './',
  logLevel: 'warn',
  resolve: {
    // The dashboard calls the sandbox with `fetch` instead of `node:http`.
    alias: [
      {
        find: /^.*\/(http-call|unreachable)\.ts$/,
        replacement: at('sandbox/dashboard/adapters/fetch-call.ts'),
      },
    ],
  },
  plugins: [commandList(), writeLicenses()],
  build: {
    outDir: at('dist/dashboard'),
    emptyOutDir: true,
    target: 'es2023',
    // The first browser versions that support nested rules and `light-dark()`.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Module preloading and inlined assets would add inline code or styles, which the Content-Security-Policy rejects.
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
}

const COMMANDS = 'virtual:commands'

/** Provides the list of CLI commands as a module. The command palette loads the module on first use. */
function commandList(): Plugin {
  return {
    name: 'command-list',
    resolveId: (source) => (source === COMMANDS ? source : undefined),
    load: async (id) =>
      id === COMMANDS ? `export const commands = ${JSON.stringify(await listCommands())}` : undefined,
  }
}
