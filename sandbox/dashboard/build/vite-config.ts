import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'
import { OPERATIONS } from '../../../spec/generated/control-operations.ts'
import { MODELS } from '../../../spec/generated/models.ts'
import type { OperationRow } from '../../../spec/rows.ts'
import { listCommands } from './command-list.ts'
import { writeLicenses } from './licenses.ts'
import { shrinkStyles } from './shrink-styles.ts'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** By its file, each generated table with only what the page looks up in it: the rest is for who answers. */
const SLIM_TABLES: ReadonlyMap<string, string> = new Map([
  [at('spec/generated/control-operations.ts'), formatOperations()],
  [
    at('spec/generated/models.ts'),
    `export const MODELS = ${JSON.stringify(Object.fromEntries(Object.keys(MODELS).map((type) => [type, 1])))}`,
  ],
])

/** A line for each that a source of the page names, which a browser reads as what the client asks of its row: nothing here has a deadline. */
function formatOperations(): string {
  const rows: readonly OperationRow[] = Object.values(OPERATIONS)
  const sources = listSources().map((file) => readFileSync(at(`sandbox/dashboard/${file}`), 'utf8'))
  const lines = rows
    .filter(({ id }) => sources.some((source) => source.includes(`'${id}'`)))
    .map(({ id, method, path, query }) =>
      [id, method, path.replace('/control', ''), 'at' in query ? 1 : ''].join(' ').trimEnd(),
    )
  return `export const OPERATIONS = Object.fromEntries(${JSON.stringify(lines.join('\n'))}.split('\\n').map((line) => {
  const [id, method, path, at] = line.split(' ')
  return [id, { method, path: '/control' + path, query: at ? { at } : {} }]
}))`
}

function listSources(): readonly string[] {
  const files = readdirSync(at('sandbox/dashboard'), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /\.tsx?$/.test(file)).toSorted()
}

/** The page, as files that any server of files can serve. It runs in browsers of the last three years. */
export const viteConfig: InlineConfig = {
  configFile: false,
  root: at('sandbox/dashboard'),
  base: './',
  logLevel: 'warn',
  // Smaller than what the runtime of JSX makes: children are arguments, and no property of each element.
  oxc: { jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment', development: false } },
  plugins: [swapModules(), gatherAlike(), slimTables(), commandList(), writeLicenses(), shrinkStyles()],
  build: {
    outDir: at('dist/dashboard'),
    emptyOutDir: true,
    target: 'es2023',
    // They nest styles, and tell the colours of light and dark apart themselves.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Both would put code or styles into the page, which its Content-Security-Policy refuses.
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      optimization: { inlineConst: { mode: 'all' } },
      transform: { inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] } },
    },
  },
}

/** What modules are elsewhere, and here. */
const IN_BROWSERS = [
  ['@preact/signals', 'sandbox/dashboard/adapters/signals.ts'],
  ['preact/hooks', 'sandbox/dashboard/adapters/hooks.ts'],
  ['/http-call.ts', 'sandbox/dashboard/adapters/fetch-call.ts'],
  ['/unreachable.ts', 'sandbox/dashboard/adapters/unreachable.ts'],
] as const

/** The control client calls by `node:http` elsewhere, and signals and hooks do more. */
function swapModules(): Plugin {
  return {
    name: 'swap-modules',
    enforce: 'pre',
    resolveId(source) {
      const found = IN_BROWSERS.find(([name]) => source.endsWith(name))
      return found && at(found[1])
    },
  }
}

const MAIN = at('sandbox/dashboard/main.tsx')

/** Libraries, and what touches the browser. What is made of them comes next, and what draws last. */
const FIRST = ['preact', 'preact/hooks', '@preact/signals', './adapters/page.ts', './adapters/keyboard.ts']

/** Modules stand in the order in which they are imported. What is alike stands together: gzip sees no further than 32 kB. */
function gatherAlike(): Plugin {
  const plain = listSources()
    .filter((file) => /^(?!adapters|build).*\/.*\.ts$/.test(file))
    .map((file) => `./${file}`)
  return {
    name: 'gather-alike',
    enforce: 'pre',
    transform: (code, id) =>
      id === MAIN
        ? [...[...FIRST, ...plain].map((each) => `import ${JSON.stringify(each)}`), code].join('\n')
        : undefined,
  }
}

function slimTables(): Plugin {
  return {
    name: 'slim-tables',
    enforce: 'pre',
    load: (id) => SLIM_TABLES.get(id),
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
