// Not imported, which would read each of their exports: Node would load its streams of files, 4 ms.
const { existsSync } = process.getBuiltinModule('node:fs')
const { enableCompileCache } = process.getBuiltinModule('node:module')

enableCompileCache()

/** In a checkout the sources run as they are; in a package only what was built from them is there. */
const built = !existsSync(new URL('../sandbox/cli/program.ts', import.meta.url))
const load = (path) => import(new URL(built ? `../dist/${path}.js` : `../${path}.ts`, import.meta.url).href)

export const OTHER_COMMANDS = [
  {
    heading: 'Receiver:',
    names: ['init'],
    load: async () => [(await load('contracts/cli/init-command')).initCommand()],
  },
  {
    heading: 'Receiver:',
    names: ['check'],
    load: async () => [(await load('contracts/cli/check-command')).checkCommand()],
  },
  {
    heading: 'Receiver:',
    names: ['rehearse'],
    load: async () => [(await load('contracts/cli/rehearse-command')).rehearseCommand()],
  },
  {
    heading: 'Files:',
    names: ['generate'],
    load: async () => [(await load('generators/cli/generate-command')).generateCommand()],
  },
]

export async function launch(argv) {
  const { runProgram } = await load('sandbox/cli/program')
  await runProgram(argv, OTHER_COMMANDS, {
    loadJudge: async (options) => (await load('contracts/judge/bench-judge')).createBenchJudge(options),
  })
}
