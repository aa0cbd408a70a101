import { existsSync, readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import type * as Sea from 'node:sea'
import { fileURLToPath } from 'node:url'
import { isError } from './errors.ts'

export function isSingleFile(): boolean {
  return singleFile() !== undefined
}

export function readPackageFile(path: string): string | undefined {
  try {
    return singleFile()?.getAsset(path, 'utf8') ?? readFileSync(join(packageFolder(), path), 'utf8')
  } catch (error) {
    if (isError(error) && 'code' in error && ABSENT.has(error.code)) return undefined
    throw error
  }
}

const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND'])

/** Returns the module `node:sea`. Undefined outside a single-file program. Uses `require`, because only Node has this module. */
function singleFile(): typeof Sea | undefined {
  const sea: typeof Sea | undefined = isBuiltin('node:sea')
    ? createRequire(import.meta.url)('node:sea')
    : undefined
  return sea?.isSea() === true ? sea : undefined
}

/** Returns the folder of the package. Searches for the folder, because source files and built files are at different depths. */
function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
