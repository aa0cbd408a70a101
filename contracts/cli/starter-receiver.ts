import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../sandbox/internal.ts'
import { readPackageFile } from '../../spec/package-files.ts'

const FOLDER = 'receiver'
const FILES = ['main.mjs', 'service.mjs', 'store.mjs']

/** In the files as they come, where a receiver of one's own has one of its own. */
const TOKEN = '3f9c1d2ab47e8051c6d20a94e7b1358f'

/** Throws UsageError where there is something already. */
export function requireNoReceiver(): void {
  if (!existsSync(FOLDER)) return
  throw new UsageError(
    `Cannot write a receiver: "${FOLDER}" is here already; move it away, or leave out --receiver`,
  )
}

/** Writes a receiver to start from; gives the paths of its files. */
export function writeReceiver(token: string): readonly string[] {
  mkdirSync(FOLDER)
  return FILES.map((name) => {
    const text = readPackageFile(`contracts/reference-receiver/starter/${name}`)
    if (text === undefined)
      throw new Error(`Cannot write a receiver: "${name}" did not come with the program`)
    const path = join(FOLDER, name)
    writeFileSync(path, text.replaceAll(TOKEN, token), { flag: 'wx' })
    return path
  })
}
