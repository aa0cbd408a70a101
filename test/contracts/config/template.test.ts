import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createRunOptions } from '../../../contracts/config/run-options.ts'
import { configText, createStarter } from '../../../contracts/cli/init.ts'
import { context } from '../support/config-context.ts'
import { CONFIG_SCHEMAS } from '../../../spec/generated/config-schemas.ts'

const typescriptConfig = configText('hookbench.config.ts')
const yamlConfig = configText('hookbench.config.yaml')

/** Returns the template with its commented settings enabled. */
const uncommented = (text: string, comment: RegExp) => text.replaceAll(comment, '$1')

async function moduleOf(text: string): Promise<unknown> {
  const url = `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(text))}`
  const { default: config }: { readonly default: unknown } = await import(/* @vite-ignore */ url)
  return config
}

test.each([
  ['YAML', parse(yamlConfig)],
  ['TypeScript', await moduleOf(typescriptConfig)],
])('the %s template is valid', (_, config) => {
  expect(createRunOptions(config, context)).toMatchObject({ budgetMs: 10_000 })
})

test('the YAML template is valid when all comment marks are removed', () => {
  const text = uncommented(yamlConfig, /^# ([a-z][a-zA-Z]+:( |$)| {2}[a-z-]+:? .*)/gm)

  expect(Object.keys(parse(text))).toEqual(
    expect.arrayContaining(['receiver', 'process', 'reconcile', 'effects', 'readings', 'consequences']),
  )
  const options = createRunOptions(parse(text), { ...context, readToken: () => 'token' })

  expect(options).toMatchObject({ effects: { kind: 'http' }, warnMs: 5_000 })
})

test('the TypeScript template is valid when all comment marks are removed', async () => {
  const lines =
    /^ {2}\/\/ ((process|reconcile: \{ http|budgetMs|warnMs|settleMs|windowMs|readings|signatureSecret|sourceAddresses|consequences|knownFailures|port: |effects: \{ http).*)/gm

  const options = createRunOptions(await moduleOf(uncommented(typescriptConfig, lines)), context)

  expect(options).toMatchObject({
    effects: { kind: 'http' },
    process: { stop: expect.any(String) },
    reconcile: { kind: 'http', url: 'http://localhost:3000/reconcile' },
    knownFailures: ['http/answers-in-time'],
  })
})

test('the two configurations of the init command are equal and contain the receiver URLs', async () => {
  const textOf = (file: string) =>
    createStarter('node', file)
      .texts.get(file)
      ?.replaceAll(/[\w-]{43}/g, 'its-token') ?? ''
  const module = await moduleOf(textOf('hookbench.config.ts'))

  expect(parse(textOf('hookbench.config.yaml'))).toEqual(module)
  expect(createRunOptions(module, context)).toMatchObject({
    effects: { kind: 'http' },
    process: { start: expect.stringContaining('receiver/main.mjs') },
    reconcile: { kind: 'http', url: 'http://127.0.0.1:9444/reconcile' },
  })
})

const KEYS = Object.keys(CONFIG_SCHEMAS['ConfigFile']?.properties ?? {})

/** Keys that the templates omit. The key `store` is not available in this version. */
const NOT_OFFERED = new Set(['$schema', 'speed', 'store'])

test.each(KEYS.filter((key) => !NOT_OFFERED.has(key)))('both templates contain the key %s', (key) => {
  expect(typescriptConfig).toMatch(new RegExp(String.raw`^  (// )?${key}: `, 'm'))
  expect(yamlConfig).toMatch(new RegExp(String.raw`^(# )?${key}:`, 'm'))
})

test('the YAML configuration refers to the JSON schema in the package', () => {
  const [, path = ''] =
    /^# yaml-language-server: \$schema=\.\/node_modules\/hookbench\/(.+)\n/.exec(yamlConfig) ?? []
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

  expect(manifest.exports['./config.schema.json']).toBe(`./${path}`)
  expect(manifest.files).toContain(path)
})
