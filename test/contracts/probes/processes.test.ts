import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openShell } from '../../../contracts/probes/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const shells: { close(): void }[] = []

afterEach(() => {
  for (const each of shells.splice(0)) each.close()
})

function opened(environment: Readonly<Record<string, string>> = {}) {
  const shell = openShell(environment)
  shells.push(shell)
  return shell
}

/** The timeout of a command whose background program keeps the output open. The command usually ends much sooner. */
const HELD_MS = 2_000

function startsProgram() {
  const file = join(temporaryFolder(), 'pid')
  return {
    line: `sleep 60 & echo $! > '${file}.new'; mv '${file}.new' '${file}'`,
    async started() {
      while (!existsSync(file)) await setTimeout(10)
      return Number(readFileSync(file, 'utf8'))
    },
  }
}

/** Linux lists an ended process as a zombie until the parent reads its exit code. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits for the process to end and returns true. If the process does not end, the test times out. */
async function hasEnded(pid: number): Promise<boolean> {
  while (isRunning(pid)) await setTimeout(10)
  return true
}

test('a command receives the environment of the shell and its own variables', async () => {
  const shell = opened({ HOOKBENCH_SERVICE_URL: 'http://127.0.0.1:4010' })

  const printed = await shell.run('echo "$HOOKBENCH_SERVICE_URL $HOOKBENCH_NOW ${PATH:+path}"', {
    name: 'process.start',
    environment: { HOOKBENCH_NOW: '2026-01-02T00:00:00.000Z' },
  })

  expect(printed).toBe('http://127.0.0.1:4010 2026-01-02T00:00:00.000Z path\n')
})

test('the error about a failing command contains command, exit code and output', async () => {
  const running = opened().run('echo broken >&2; exit 3', { name: 'process.start' })

  await expect(running).rejects.toThrow(
    'Cannot run process.start "echo broken >&2; exit 3": the command ended with code 3, with the output: broken. Let the command end with code 0',
  )
})

test('a command is killed when its timeout passes', async () => {
  const running = opened().run('sleep 60', { name: 'process.start', timeoutMs: 20 })

  await expect(running).rejects.toThrow(
    'the command did not end after 20 ms, so its process group was killed. Use a command that ends by itself',
  )
})

test('a killed command leaves no child process', async () => {
  const shell = opened()
  const program = startsProgram()
  const running = shell.run(`${program.line}; wait`, { name: 'process.start' })
  const ended = expect(running).rejects.toThrow('so its process group was killed')
  const pid = await program.started()

  shell.close()
  await ended

  expect(await hasEnded(pid)).toBe(true)
})

test('a child process that keeps the command output open is killed, and the error names the fix', async () => {
  const shell = opened()
  const program = startsProgram()
  const running = shell.run(program.line, { name: 'process.start', timeoutMs: HELD_MS })

  await expect(running).rejects.toThrow(
    'a child process of the command still held its output open after 2000 ms, so the child was killed. Redirect the output: > receiver.log 2>&1 &',
  )

  expect(await hasEnded(await program.started())).toBe(true)
})

test('a child process that closes its output continues to run after its command ends', async () => {
  const program = startsProgram()

  await opened().run(program.line.replace('&', '> /dev/null 2>&1 &'), { name: 'process.start' })

  const pid = await program.started()
  expect(isRunning(pid)).toBe(true)
  process.kill(pid)
})

test('a child process outside the process group does not delay the run', async () => {
  const detach = `require('child_process').spawn('sleep', ['10'], { detached: true, stdio: 'inherit' }).unref()`
  const line = `'${process.execPath}' -e "${detach}"`

  await expect(opened().run(line, { name: 'process.start', timeoutMs: HELD_MS })).rejects.toThrow(
    'still held its output open',
  )
})
