import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { compileFunction, constants } from 'node:vm'
import { errorMessage } from '../../spec/errors.ts'
import type { ConfigFile } from '../../spec/generated/config-types.ts'
import { readingValues } from '../../spec/readings.ts'
import { configValidators as validators } from '../../spec/validators.ts'
import { createTranslator } from '../../spec/vocabulary.ts'
import { describeFileError } from '../adapters/files.ts'
import { hasEveryLoopbackAddress } from '../adapters/loopback.ts'
import type { SourceAddresses } from '../engine/delivery/message.ts'
import { describeProblems, type ConfigProblem } from './config-problems.ts'
import { UsageError } from './failure.ts'
import { isSingleFile } from '../../spec/package-files.ts'

/** Reads .json, .yaml, or the default export of .js or .ts. Throws UsageError with every invalid key and the fix. */
export async function readConfig(file: string): Promise<ConfigFile> {
  const { config, problems } = validateConfig(await readConfigFile(file))
  if (problems.length > 0) throw new UsageError(`Cannot use config "${file}": ${problems.join('; ')}`)
  return config
}

export function validateConfig(given: object) {
  const data = withoutFunction(given)
  const bySchema = validators.ConfigFile(data)
    ? []
    : describeProblems(validators.ConfigFile.errors ?? [], data)
  const rest = omitWrong(data, bySchema)
  const byRule = validators.ConfigFile(rest) ? brokenRules(rest) : []
  const right = omitWrong(rest, byRule)
  const config: ConfigFile = validators.ConfigFile(right) ? right : {}
  return {
    config,
    problems: [...bySchema, ...byRule].map(({ message }) => message),
  }
}

function omitWrong(config: object, problems: readonly ConfigProblem[]): object {
  const wrong = new Set(problems.map(({ path: [key] }) => key))
  return Object.fromEntries(Object.entries(config).filter(([key]) => !wrong.has(key)))
}

/** Removes the `effects` function, which the schema does not describe. Only .js and .ts config files can contain a function. */
function withoutFunction(given: object): object {
  const { effects, ...rest }: { readonly effects?: unknown } = given
  if (typeof effects !== 'object' || effects === null) return given
  const [[key, value] = [], ...others] = Object.entries(effects)
  return key === 'function' && typeof value === 'function' && others.length === 0 ? rest : given
}

function brokenRules({ clock, speed, readings, vocabulary }: ConfigFile): readonly ConfigProblem[] {
  const both = clock !== undefined && speed !== undefined
  return [
    both
      ? { path: ['clock'], message: '"clock" cannot be used with "speed". Omit one of these keys' }
      : undefined,
    refusal('readings', () => readingValues({ ...readings })),
    refusal('vocabulary', () => createTranslator(vocabulary)),
  ].filter((problem) => problem !== undefined)
}

function refusal(key: string, use: () => unknown): ConfigProblem | undefined {
  try {
    use()
    return undefined
  } catch (error) {
    return { path: [key], message: `"${key}" is rejected: ${errorMessage(error)}` }
  }
}

export function parseSourceAddresses(text: string): SourceAddresses {
  if (text === 'loopback') {
    if (hasEveryLoopbackAddress) return { kind: 'loopback' }
    throw new UsageError(
      'Cannot send from other loopback addresses here: only Linux has every address of 127.0.0.0/8. Name a header that your receiver trusts, such as x-forwarded-for',
    )
  }
  if (/^[A-Za-z][A-Za-z0-9-]*$/.test(text)) return { kind: 'header', name: text }
  throw new UsageError(
    `Cannot use source addresses "${text}": the value must be "loopback" or the name of a header`,
  )
}

/** Reads the object in a config file without validation. Throws UsageError that names the file and the fix. */
export async function readConfigFile(file: string): Promise<object> {
  const path = resolve(file)
  if (!existsSync(path)) throw new UsageError(`Cannot read config "${file}": the file does not exist`)
  const value = await load(path, file)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`Cannot use config "${file}": the value must be an object of options`)
  }
  return value
}

async function load(path: string, file: string): Promise<unknown> {
  try {
    switch (extname(path)) {
      case '.json':
        return JSON.parse(readFileSync(path, 'utf8'))
      case '.yaml':
      case '.yml':
        return (await import('yaml')).parse(readFileSync(path, 'utf8'))
      case '.js':
      case '.mjs':
      case '.ts': {
        const module: { readonly default?: unknown } = await importFile(path)
        return module.default
      }
      default:
        throw new UsageError(`Cannot read config "${file}": the extension must be .json, .yaml, .js or .ts`)
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`Cannot read config "${file}": ${describeFileError(cause)}`, { cause })
  }
}

/** The modification time that each file had at its first import, by path. */
const firstChanges = new Map<string, number>()

/** Imports a user's module, even in a CommonJS package such as `npm init` creates. Imports a changed module again. */
export async function importFile(path: string): Promise<object> {
  const { mtimeMs } = statSync(path)
  if (!firstChanges.has(path)) firstChanges.set(path, mtimeMs)
  // Adds a query to the URL of a changed file, because Node imports each URL only once.
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

/** Imports a file. In the single-file program, a plain `import` would find only built-in modules. */
function importFromDisk(url: string): Promise<object> {
  return compileFunction('return import(url)', ['url'], {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })(url)
}
