import { readFileSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { compileFunction, constants } from 'node:vm'
import { isSingleFile } from '../../spec/package-files.ts'

/** The time of the last change at the first import, by path. */
const firstChanges = new Map<string, number>()

/** Imports a user's module, even in a package that declares CommonJS, such as a package from `npm init`. Imports a changed module again. */
export async function importFile(path: string): Promise<object> {
  const { mtimeMs } = statSync(path)
  if (!firstChanges.has(path)) firstChanges.set(path, mtimeMs)
  // Node imports a URL only once.
  const query = firstChanges.get(path) === mtimeMs ? '' : `?${mtimeMs}`
  const href = `${pathToFileURL(path).href}${query}`
  const isModule = /^(import|export)\b/m.test(readFileSync(path, 'utf8'))
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url === href && isModule ? { ...context, format: toModuleFormat(context.format) } : context),
  })
  try {
    return await (isSingleFile() ? importFromDisk(href) : import(href))
  } finally {
    hooks.deregister()
  }
}

function toModuleFormat(format: string | null | undefined): string | null | undefined {
  return format?.replace(/^commonjs/, 'module')
}

/** Imports a file. In the single-file program, a plain `import` finds only built-in modules. */
function importFromDisk(url: string): Promise<object> {
  return compileFunction('return import(url)', ['url'], {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })(url)
}
