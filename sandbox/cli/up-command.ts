import { Command } from 'commander'
import { untilStopped } from './stopped.ts'
import { table } from './terminal.ts'
import { upOptions, withUpOptions } from './up-options.ts'
import { withFolder } from './with-folder.ts'

export function upCommand(): Command {
  const command = new Command('up').description(
    'start the sandbox: the service API and the bench, until Ctrl-C',
  )
  return withUpOptions(command)
    .option('--json', 'one JSON object a line instead of text')
    .action(async (flags) => {
      const options = await upOptions(flags)
      const { printJson, runSandbox } = await import('./run-sandbox.ts')
      const stopped = untilStopped()
      const json = flags.json === true
      const sandbox = await runSandbox(options, { json })
      if (!json) console.log(next(options.data))
      await stopped
      await sandbox.close()
      if (json) printJson({ event: 'stopped' })
      else console.log('\nStopped')
    })
}

const STEPS = [
  ['cert localhost', 'a certificate for your receiver'],
  ['register https://localhost:PORT/PATH --type items', 'where it listens'],
  ['create items amount=1200', 'the first notification'],
] as const

function next(folder: string): string {
  const rows = STEPS.map(([step, what]) => ['', withFolder(`npx hookbench ${step}`, folder), what])
  return `Next, in another terminal:\n${table(rows)}\n`
}
