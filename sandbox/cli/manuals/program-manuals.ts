import { LOCAL_EXIT_CODES, type Manuals } from './manual.ts'

export const PROGRAM_MANUALS: Manuals = {
  cert: {
    about: [
      'Deliveries trust what this CA issues; nothing else on this machine does, unless you tell it to.',
    ],
    examples: [
      ['cert localhost', 'localhost.crt.pem and localhost.key.pem, in this folder'],
      ['cert receiver.test 127.0.0.1 --out certificates', 'for two names, in another folder'],
    ],
    exitCodes: { ...LOCAL_EXIT_CODES, 4: 'the CA in the data folder is damaged' },
    seeAlso: ['register', 'up'],
  },
  completion: {
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
      ['completion fish > ~/.config/fish/conf.d/hookbench.fish', 'for every new fish'],
    ],
    exitCodes: LOCAL_EXIT_CODES,
    seeAlso: ['help'],
  },
  help: {
    about: ['"hookbench COMMAND --help" shows the same.'],
    examples: [
      ['help jobs', ''],
      ['help faults add', 'of a command within a command'],
    ],
    exitCodes: LOCAL_EXIT_CODES,
    seeAlso: ['completion'],
  },
}
