import { pathToFileURL } from 'node:url'
import { compileFunction, constants } from 'node:vm'
import { isSingleFile } from '../../spec/package-files.ts'

/** Imports a module of the user's. */
export async function importFile(path: string): Promise<object> {
  const { href } = pathToFileURL(path)
  return isSingleFile() ? importFromDisk(href) : import(href)
}

/** In a program that is one file, `import` finds only what is in Node; code that is compiled on its own imports as usual. */
function importFromDisk(url: string): Promise<object> {
  return compileFunction('return import(url)', ['url'], {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })(url)
}
