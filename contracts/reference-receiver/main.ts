import { startWithDefect } from './defects.ts'
import { parseOptions, USAGE } from './options.ts'
import { startReceiver } from './receiver.ts'

/** Runs a receiver until a signal ends it. */
async function main(args: readonly string[]): Promise<void> {
  const { options, defect } = parseOptions(args)
  const receiver = await (defect === undefined ? startReceiver(options) : startWithDefect(defect, options))
  const { webhooks, callbacks, effects } = receiver
  console.log(JSON.stringify({ event: 'ready', webhooks, callbacks, effects }))
  const stop = () => void receiver.close()
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(USAGE)
  process.exitCode = 2
}
