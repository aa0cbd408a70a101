/** The commands of other folders than that of the sandbox; `load` gives the module of a path. */
export function otherCommands(load) {
  return [
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
}

export async function runCommand(argv, load) {
  const { runProgram } = await load('sandbox/cli/program')
  await runProgram(argv, otherCommands(load), {
    loadJudge: async (options) => (await load('contracts/judge/bench-judge')).createBenchJudge(options),
  })
}
