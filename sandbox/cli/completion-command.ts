import type { Argument as LibraryArgument, Option as LibraryOption } from '@bomb.sh/tab'
import { Argument, Command } from 'commander'
import { UsageError } from './failure.ts'
import { withChoices } from './option-values.ts'
import { withManual } from './manual.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof SHELLS)[number]

export function completionCommand(): Command {
  return withManual(new Command('completion'), {
    about: [
      'The script completes "hookbench" and "npx hookbench". zsh and fish show the description of each command and option.',
    ],
    examples: [
      [
        'completion bash > ~/.hookbench-completion.bash',
        "then: echo 'source ~/.hookbench-completion.bash' >> ~/.bashrc",
      ],
      [
        'completion zsh > ~/.hookbench-completion.zsh',
        "then: echo 'source ~/.hookbench-completion.zsh' >> ~/.zshrc",
      ],
      ['completion fish > ~/.config/fish/conf.d/hookbench.fish', 'load the script in every new fish shell'],
    ],
    seeAlso: ['help'],
  })
    .description('print a completion script for commands, options and values')
    .summary('print a script for your shell')
    .addArgument(withChoices(new Argument('[shell]', 'the shell (default: from SHELL)'), SHELLS))
    .action(async (given: Shell | undefined) => {
      const shell = given ?? shellFrom(process.env['SHELL'])
      const [before, after] = AROUND[shell]
      console.log([before, await libraryScript(shell), after].join('\n'))
    })
}

function shellFrom(path: string | undefined): Shell {
  const name = path?.split('/').at(-1)
  const known = SHELLS.find((shell) => shell === name)
  if (known !== undefined) return known
  const state = path === undefined ? 'SHELL is not set' : `SHELL is "${path}"`
  throw new UsageError(
    `Cannot tell which shell to complete for: ${state}. Name the shell (bash, zsh or fish), such as "npx hookbench completion bash"`,
  )
}

async function libraryScript(shell: Shell): Promise<string> {
  const { script } = await import('@bomb.sh/tab')
  const lines: string[] = []
  const { log } = console
  console.log = (text: string) => void lines.push(text)
  try {
    script(shell, 'hookbench', '__hookbench_run')
  } finally {
    console.log = log
  }
  // Quotes the typed words, because otherwise Bash would run `$(…)` and redirections in them.
  return lines.join('\n').replace('${words[@]:1}', '$(printf "%q " "${words[@]:1}")')
}

const RUN = `__hookbench_run() {
  if [ -x node_modules/.bin/hookbench ]; then node_modules/.bin/hookbench "$@"; else command hookbench "$@"; fi
}`

/** Lines to add around the library's script. Without these lines, the shell completes only `hookbench`, and not `npx hookbench`. */
const AROUND: { readonly [Each in Shell]: readonly [before: string, after: string] } = {
  bash: [
    `${RUN}
# For a shell without bash-completion
if ! declare -F _get_comp_words_by_ref >/dev/null; then
  _get_comp_words_by_ref() { words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur="\${COMP_WORDS[COMP_CWORD]}"; }
fi`,
    `complete -o default -F __hookbench_complete hookbench
__hookbench_npx() { if [[ "\${COMP_WORDS[1]}" == hookbench ]] && ((COMP_CWORD > 1)); then __hookbench_complete; fi; }
if ! complete -p npx &>/dev/null; then complete -o default -F __hookbench_npx npx; fi`,
  ],
  zsh: [
    `if (( ! \${+functions[compdef]} )); then autoload -Uz compinit && compinit; fi
${RUN}`,
    `__hookbench_npx() { if [[ $words[2] == hookbench ]] && (( CURRENT > 2 )); then _hookbench; else _default; fi }
if (( ! \${+_comps[npx]} )); then compdef __hookbench_npx npx; fi`,
  ],
  fish: [
    `function __hookbench_run
    if test -x node_modules/.bin/hookbench
        node_modules/.bin/hookbench $argv
    else
        command hookbench $argv
    end
end`,
    `complete -c npx -n __hookbench_clear_perform_completion_once_result
complete -c npx -n '__fish_seen_subcommand_from hookbench; and __hookbench_prepare_completions' -f -a '$__hookbench_comp_results'`,
  ],
}

export interface DescribedValue {
  readonly value: string
  readonly about: string
}

export async function printCompletions(
  program: Command,
  words: readonly string[],
  listChecks: () => Promise<readonly DescribedValue[]>,
): Promise<void> {
  const { ShellCompDirective } = await import('@bomb.sh/tab')
  const { default: describeProgram } = await import('@bomb.sh/tab/commander')
  const commands = program.commands.map((each) => ({ value: each.name(), about: each.description() }))
  const root = describeProgram(program)
  root.commands.delete('complete')
  const [help, check] = [root.commands.get('help'), root.commands.get('check')]
  offer(commands, [help?.arguments.get('command')])
  if (words[0] === 'check') {
    const takers = [
      check?.arguments.get('url'),
      check?.arguments.get('checks'),
      check?.options.get('explain'),
    ]
    offer(await listChecks(), takers)
  }
  // If there is nothing to suggest, lets the shell complete file names. The library itself never completes file names.
  const { ShellCompDirectiveDefault: files, ShellCompDirectiveNoFileComp: noFiles } = ShellCompDirective
  Object.defineProperty(root, 'directive', {
    get: () => (root.completions.length === 0 ? files : noFiles),
    set: () => {},
  })
  root.parse([...words])
}

function offer(
  values: readonly DescribedValue[],
  takers: readonly (LibraryArgument | LibraryOption | undefined)[],
): void {
  for (const taker of takers) {
    if (taker) taker.handler = (add) => values.forEach(({ value, about }) => add(value, about))
  }
}
