import { spawn } from 'node:child_process'
import { printWarning } from './failure.ts'

interface Address {
  readonly benchUrl: string
  readonly benchToken: string
}

/** Returns the URL of the dashboard. If `opensAsIs` is true, the URL contains the token, so that the page opens without a login. */
export function dashboardUrl({ benchUrl, benchToken }: Address, opensAsIs: boolean): string {
  return opensAsIs ? `${benchUrl}/#token=${encodeURIComponent(benchToken)}` : `${benchUrl}/`
}

export async function openDashboard(address: Address): Promise<void> {
  const problem = await openPage(dashboardUrl(address, true), process.platform)
  if (problem === undefined) return
  printWarning(`Cannot open the dashboard: ${problem}. Open ${dashboardUrl(address, false)} in a browser`)
}

/** Starts a program and resolves with its exit code. Resolves with null if the program could not be started. */
type StartProgram = (program: string, args: readonly string[]) => Promise<number | null>

const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  // The empty quotes are the window title, because `start` uses its first quoted argument as a title.
  win32: ['cmd', '/c', 'start', '""'],
}

/** Opens a URL in the browser. Resolves with a description of the problem, or undefined if it succeeds. */
export async function openPage(url: string, platform: NodeJS.Platform, start: StartProgram = startProgram) {
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
    child.unref()
  })
