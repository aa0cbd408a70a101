/** Lists the CLI commands whose code is outside the sandbox folder. `load` imports a module by its path. */
export function otherCommands(load) {
  return [
    {
      heading: 'Receiver:',
      names: ['init'],
      load: async () => [(await load('contracts/cli/init-command')).initCommand()],
      loadManuals: async () => ({ init: (await load('contracts/cli/init-command')).INIT_MANUAL }),
    },
    {
      heading: 'Receiver:',
      names: ['check'],
      load: async () => [(await load('contracts/cli/check-command')).checkCommand()],
      loadManuals: async () => ({ check: (await load('contracts/cli/check-command')).CHECK_MANUAL }),
    },
    {
      heading: 'Receiver:',
      names: ['rehearse'],
      load: async () => [(await load('contracts/cli/rehearse-command')).rehearseCommand()],
      loadManuals: async () => ({ rehearse: (await load('contracts/cli/rehearse-command')).REHEARSE_MANUAL }),
    },
    {
      heading: 'Receiver:',
      names: ['load'],
      load: async () => [(await load('contracts/cli/load-command')).loadCommand()],
      loadManuals: async () => ({ load: (await load('contracts/cli/load-command')).LOAD_MANUAL }),
    },
    {
      heading: 'Files:',
      names: ['generate'],
      load: async () => [(await load('generators/cli/generate-command')).generateCommand()],
      loadManuals: async () => ({
        generate: (await load('generators/cli/generate-command')).GENERATE_MANUAL,
      }),
    },
  ]
}

export async function runCommand(argv, load) {
  const { runProgram } = await load('sandbox/cli/program')
  await runProgram(argv, otherCommands(load), {
    loadJudge: async (options) => (await load('contracts/judge/bench-judge')).createBenchJudge(options),
    listChecks: async () => (await load('contracts/cli/check-command')).listCheckNames(),
  })
}
