import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'
import { listCommands } from './command-list.ts'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The page, as files that any server of files can serve. It runs in browsers of the last three years. */
export const viteConfig: InlineConfig = {
  configFile: false,
  root: at('sandbox/dashboard'),
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [callByFetch(), commandList()],
  build: {
    outDir: at('dist/dashboard'),
    emptyOutDir: true,
    target: 'es2023',
    // Both would put code or styles into the page, which its Content-Security-Policy refuses.
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
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

const COMMANDS = 'virtual:commands'

/** What the page knows of the command line is taken from the definitions of the commands themselves. */
function commandList(): Plugin {
  return {
    name: 'command-list',
    resolveId: (source) => (source === COMMANDS ? `\0${COMMANDS}` : undefined),
    load: async (id) =>
      id === `\0${COMMANDS}`
        ? `export const COMMANDS = JSON.parse(${JSON.stringify(JSON.stringify(await listCommands()))})`
        : undefined,
  }
}
