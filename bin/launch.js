import { otherCommands, runCommand } from './commands.js'

// Not imported, which would read each of their exports: Node would load its streams of files, 4 ms.
const { existsSync } = process.getBuiltinModule('node:fs')
const { enableCompileCache } = process.getBuiltinModule('node:module')

enableCompileCache()

/** In a checkout the sources run as they are; in a package only what was built from them is there. */
const built = !existsSync(new URL('../sandbox/cli/program.ts', import.meta.url))
const load = (path) => import(new URL(built ? `../dist/${path}.js` : `../${path}.ts`, import.meta.url).href)

export const OTHER_COMMANDS = otherCommands(load)

export function launch(argv) {
  return runCommand(argv, load)
}
