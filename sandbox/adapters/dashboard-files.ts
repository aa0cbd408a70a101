import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeFileError } from './files.ts'

/** The built dashboard, beside the program: each file is read when it is asked for, so that a new build shows at once. */
export async function readDashboardFile(name: string): Promise<string | undefined> {
  try {
    return await readFile(join(packageFolder(), 'dist/dashboard', name), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new Error(`Cannot read the dashboard: ${describeFileError(error)}`, { cause: error })
  }
}

/** The sources and what is built of them lie at different depths. */
function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
