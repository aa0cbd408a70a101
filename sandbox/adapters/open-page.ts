import { spawn } from 'node:child_process'

/** Starts a program and resolves with its exit code; null if it could not be started. A test has its own. */
export type StartProgram = (program: string, args: readonly string[]) => Promise<number | null>

/** What shows an address in the browser of the person who is logged in. */
const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  // The first thing in quotes would be taken for the title of a window.
  win32: ['cmd', '/c', 'start', '""'],
}

/** Has the browser show an address. Resolves with why it cannot, or with undefined once it was asked to. */
export async function openPage(
  url: string,
  platform: NodeJS.Platform,
  start: StartProgram = startProgram,
): Promise<string | undefined> {
  const [program, ...args] = OPENERS[platform] ?? ['xdg-open']
  const code = await start(program, [...args, url])
  if (code === 0) return undefined
  return code === null ? `${program} cannot be started` : `${program} ended with exit code ${code}`
}

const startProgram: StartProgram = (program, args) =>
  new Promise((resolve) => {
    const child = spawn(program, [...args], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(null))
    child.once('exit', resolve)
    // A browser that it starts may stay as long as it likes.
    child.unref()
  })
