import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

enableCompileCache()

/** In a checkout the sources run as they are; in a package only what was built from them is there. */
const built = !existsSync(new URL('../sandbox/cli/program.ts', import.meta.url))
const load = (path) => import(new URL(built ? `../dist/${path}.js` : `../${path}.ts`, import.meta.url).href)

export async function launch(argv) {
  const [{ runProgram }, { checkCommand }, { initCommand }, { generateCommand }] = await Promise.all([
    load('sandbox/cli/program'),
    load('contracts/cli/check-command'),
    load('contracts/cli/init-command'),
    load('generators/cli/generate-command'),
  ])
  await runProgram(argv, { receiver: [initCommand(), checkCommand()], files: [generateCommand()] })
}
