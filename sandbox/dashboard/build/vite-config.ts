import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'
import { OPERATIONS } from '../../../spec/generated/control-operations.ts'
import { listCommands } from './command-list.ts'
import { writeLicenses } from './licenses.ts'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** The page, as files that any server of files can serve. It runs in browsers of the last three years. */
export const viteConfig: InlineConfig = {
  configFile: false,
  root: at('sandbox/dashboard'),
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [callByFetch(), slimOperations(), commandList(), writeLicenses()],
  build: {
    outDir: at('dist/dashboard'),
    emptyOutDir: true,
    target: 'es2023',
    // Both would put code or styles into the page, which its Content-Security-Policy refuses.
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
}

/** The control client calls by `node:http` elsewhere. */
function callByFetch(): Plugin {
  return {
    name: 'call-by-fetch',
    enforce: 'pre',
    resolveId: (source) =>
      source.endsWith('/http-call.ts') ? at('sandbox/dashboard/adapters/fetch-call.ts') : undefined,
  }
}

const OPERATIONS_FILE = at('spec/generated/control-operations.ts')

/** Of an operation the page needs only how it is called: the rest of the table is for who answers. */
function slimOperations(): Plugin {
  return {
    name: 'slim-operations',
    enforce: 'pre',
    load(id) {
      if (id !== OPERATIONS_FILE) return undefined
      const rows = Object.values(OPERATIONS).map(({ id: name, method, path, slow }) => [
        name,
        { method, path, slow },
      ])
      return `export const OPERATIONS = ${JSON.stringify(Object.fromEntries(rows))}`
    },
  }
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
