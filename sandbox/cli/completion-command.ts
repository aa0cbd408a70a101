import { Argument, Command } from 'commander'
import { UsageError } from './failure.ts'
import { withChoices } from './option-values.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof SHELLS)[number]

export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script by which your shell completes commands, options, ids and states')
    .summary('print a script for your shell')
    .addArgument(withChoices(new Argument('[shell]', 'by default the one that SHELL names'), SHELLS))
    .action(async (shell: Shell | undefined) => {
      console.log((await loadScript(shell ?? shellFrom(process.env['SHELL']))).join('\n'))
    })
}

/** The shell of this user. Throws UsageError with those that there are. */
export function shellFrom(path: string | undefined): Shell {
  const name = path?.split('/').at(-1)
  const known = SHELLS.find((shell) => shell === name)
  if (known !== undefined) return known
  const state = path === undefined ? 'SHELL is not set' : `SHELL is "${path}"`
  throw new UsageError(
    `Cannot tell which shell to complete for: ${state}; name one, such as "npx hookbench completion bash", or zsh, or fish`,
  )
}

async function loadScript(shell: Shell): Promise<readonly string[]> {
  switch (shell) {
    case 'bash':
      return (await import('./completion/bash-script.ts')).BASH_SCRIPT
    case 'zsh':
      return (await import('./completion/zsh-script.ts')).ZSH_SCRIPT
    case 'fish':
      return (await import('./completion/fish-script.ts')).FISH_SCRIPT
    default:
      return shell satisfies never
  }
}
