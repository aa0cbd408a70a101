import { startWithDefect } from './defects.ts'
import { parseOptions, USAGE } from './receiver-options.ts'
import { startReceiver } from './receiver.ts'

/** Runs a receiver until a signal ends it. */
async function main({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): Promise<void> {
  const { options, defect } = parseOptions(argv.slice(2), env)
  const receiver = await (defect === undefined ? startReceiver(options) : startWithDefect(defect, options))
  const { webhooks, callbacks, effects, reconcile } = receiver
  console.log(JSON.stringify({ event: 'ready', webhooks, callbacks, effects, reconcile }))
  const stop = () => void receiver.close()
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

try {
  await main(process)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(USAGE)
  process.exitCode = 2
}
