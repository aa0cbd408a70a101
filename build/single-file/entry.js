/** The entry of the single-file program. This file includes the modules that bin/launch.js loads. */
import { runCommand } from '../../bin/commands.js'

const MODULES = {
  'sandbox/cli/program': () => import('../../sandbox/cli/program.ts'),
  'contracts/cli/init-command': () => import('../../contracts/cli/init-command.ts'),
  'contracts/cli/check-command': () => import('../../contracts/cli/check-command.ts'),
  'contracts/cli/load-command': () => import('../../contracts/cli/load-command.ts'),
  'contracts/cli/rehearse-command': () => import('../../contracts/cli/rehearse-command.ts'),
  'contracts/judge/bench-judge': () => import('../../contracts/judge/bench-judge.ts'),
  'generators/cli/generate-command': () => import('../../generators/cli/generate-command.ts'),
}

void runCommand(process.argv, (path) => MODULES[path]())
