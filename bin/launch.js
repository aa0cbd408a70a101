import { otherCommands, runCommand } from './commands.js'

// `import` would read all exports of these modules and load Node's streams, which takes 4 ms.
const { existsSync } = process.getBuiltinModule('node:fs')
const { enableCompileCache } = process.getBuiltinModule('node:module')

enableCompileCache()

/** A repository checkout runs the TypeScript sources. The npm package contains only built files. */
const built = !existsSync(new URL('../sandbox/cli/program.ts', import.meta.url))
const load = (path) => import(new URL(built ? `../dist/${path}.js` : `../${path}.ts`, import.meta.url).href)

export const OTHER_COMMANDS = otherCommands(load)

export function launch(argv) {
  return runCommand(argv, load)
}
