import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { endProcess } from '../support/page-session.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('to end what could not be started ends nothing else', async () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  onTestFinished(() => kill.mockRestore())
  const child = spawn(join(temporaryFolder(), 'missing'), { detached: true })
  await once(child, 'error')

  const ended = endProcess(child)

  expect(kill).not.toHaveBeenCalled()
  await ended
})

test('what was started is ended', async () => {
  const child = spawn('sh', ['-c', 'sleep 600'], { detached: true, stdio: 'ignore' })

  await endProcess(child)

  expect(child.signalCode).toBe('SIGKILL')
})
