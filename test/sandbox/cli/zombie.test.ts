import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { isZombie } from '../../../sandbox/cli/down-command.ts'

test.runIf(process.platform === 'linux')('isZombie() is true for an ended but unreaped process', async () => {
  // The child ends after the shell has replaced itself with `sleep` (exec). Otherwise, the shell would reap the child.
  const child = '(until grep -q sleep /proc/$$/comm; do sleep 0.1; done)'
  const parent = spawn('sh', ['-c', `${child} & echo $!; exec sleep 60`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void parent.kill())
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(String(line))

  await expect.poll(() => isZombie(pid), { timeout: 20_000 }).toBe(true)
  expect(isZombie(process.pid)).toBe(false)
})
