import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'

const MODULE = new URL('../../../sandbox/cli/stop-signals.ts', import.meta.url).href

/** A program that says when it is to stop, and goes on until it is ended. */
const program = (whenReady: string) => `
  import { untilStopped } from ${JSON.stringify(MODULE)}
  setInterval(() => console.log('alive'), 20)
  const stopped = untilStopped()
  console.log('ready')
  ${whenReady}
  await stopped
  console.log('stopping')
`

function start(whenReady = '') {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(whenReady)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.setEncoding('utf8')
  const hears = async (text: string) => {
    while (!said.includes(text)) {
      const [piece] = await once(child.stdout, 'data')
      said += String(piece)
    }
    said = ''
  }
  return { child, ended, hears }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a second %s ends a program at once that is ending',
  async (signal) => {
    const { child, ended, hears } = start()
    await hears('ready')
    child.kill(signal)
    await hears('stopping')

    // The second one that is not npm's copy of the first.
    const again = setInterval(() => child.kill(signal), 50)
    const [code, by] = await ended
    clearInterval(again)

    expect([code, by]).toEqual([null, signal])
  },
)

test('the copy of a signal that npm passes on ends nothing', async () => {
  const { child, ended, hears } = start(`
    process.kill(process.pid, 'SIGINT')
    process.kill(process.pid, 'SIGTERM')
  `)
  await hears('stopping')
  await hears('alive')

  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
})
