import { Command } from 'commander'
import { untilStopped } from './stopped.ts'
import { upOptions, withUpOptions } from './up-options.ts'

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
      if (!json) console.log(next())
      await stopped
      await sandbox.close()
      if (json) printJson({ event: 'stopped' })
      else console.log('\nStopped')
    })
}

function next(): string {
  return [
    'Next, in another terminal:',
    '  npx hookbench cert localhost                                 a certificate for your receiver',
    '  npx hookbench register https://localhost:PORT/PATH --type items',
    '  npx hookbench create items amount=1200                       the first notification',
    '',
  ].join('\n')
}
