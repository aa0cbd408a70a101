import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'
import { listCommands } from './command-list.ts'
import { writeLicenses } from './licenses.ts'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** Builds the page into files that any file server can serve. The page runs in browsers of the last three years. */
export const viteConfig: InlineConfig = {
  configFile: false,
  root: at('sandbox/dashboard'),
  base: './',
  logLevel: 'warn',
  resolve: {
    // The control client calls by `node:http` elsewhere.
    alias: [
      { find: /^.*\/http-call\.ts$/, replacement: at('sandbox/dashboard/adapters/fetch-call.ts') },
      { find: /^.*\/unreachable\.ts$/, replacement: at('sandbox/dashboard/adapters/unreachable.ts') },
    ],
  },
  plugins: [commandList(), writeLicenses()],
  build: {
    outDir: at('dist/dashboard'),
    emptyOutDir: true,
    target: 'es2023',
    // These browsers support nested rules and `light-dark()`.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Both would put code or styles into the page, which its Content-Security-Policy refuses.
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
}

const COMMANDS = 'virtual:commands'

/**
 * What the page knows of the command line is taken from the definitions of the commands themselves. It is a file of its own,
 * read when somebody looks for a command.
 */
function commandList(): Plugin {
  return {
    name: 'command-list',
    resolveId: (source) => (source === COMMANDS ? `\0${COMMANDS}` : undefined),
    async load(id) {
      if (id !== `\0${COMMANDS}`) return undefined
      const source = JSON.stringify(await listCommands())
      const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
      const fileName = `assets/commands-${hash}.json`
      this.emitFile({ type: 'asset', fileName, source })
      return `export const COMMANDS_FILE = ${JSON.stringify(fileName)}`
    },
  }
}
