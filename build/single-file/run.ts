import { spawnSync } from 'node:child_process'

/** Runs a program until it ends and returns its output. Throws if the program fails. */
export function run(command: string, args: readonly string[], cwd: string): string {
  // Windows finds npm only through a shell.
  const shell = process.platform === 'win32' && command === 'npm'
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', shell })
  if (error) throw new Error(`Cannot run ${command}: ${error.message}`, { cause: error })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}${stderr}`)
  return stdout
}
