import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { secretText, toPrintableJson, UsageError } from '../../sandbox/internal.ts'
import { readPackageFile } from '../../spec/package-files.ts'
import { findConfigFile } from '../config/config-context.ts'

/** The pages in docs/receivers that contain the starter receiver of each language. */
const PAGES = { php: 'php', python: 'python', ruby: 'rack' } as const

export type ReceiverLanguage = 'node' | keyof typeof PAGES

export interface InitFlags {
  readonly yaml?: boolean
  readonly receiver?: boolean
  readonly lang?: ReceiverLanguage
  readonly json?: boolean
}

/** Never overwrites a file. */
export function init({ yaml = false, receiver = false, lang, json = false }: InitFlags): void {
  const present = findConfigFile()
  if (present !== undefined) {
    throw new UsageError(
      `Cannot write a configuration: "${present}" already exists. Edit or remove this file`,
    )
  }
  const file = yaml || lang !== undefined ? 'hookbench.config.yaml' : 'hookbench.config.ts'
  const starter = receiver ? createStarter(lang ?? 'node', file) : undefined
  const texts = starter?.texts ?? new Map([[file, configText(file, lang)]])
  const files = [...texts.keys()].filter((path) => path !== file)
  requireNone(files)
  for (const [path, text] of texts) {
    mkdirSync(dirname(path), { recursive: true })
    // With the flag `wx`, the write fails if the file was created in the meantime.
    writeFileSync(path, text, { flag: 'wx' })
  }
  if (json) console.log(toPrintableJson({ file, receiver: files }, 2))
  else console.log(starter ? receiverSteps([...files, file], starter.advice) : nextSteps(file))
}

/** The line that names the schema for editors. Written only for projects with node_modules. */
const SCHEMA_LINE =
  '# yaml-language-server: $schema=./node_modules/hookbench/spec/generated/config.schema.json'

export function configText(file: string, lang: ReceiverLanguage = 'node'): string {
  if (file.endsWith('.ts')) return readTemplate('config.ts.txt')
  const text = readTemplate('config.yaml')
  return lang === 'node' ? `${SCHEMA_LINE}\n\n${text}` : text
}

function requireNone(files: readonly string[]): void {
  const present = files.map((path) => path.replace(/\/.*$/, '')).find((path) => existsSync(path))
  if (present === undefined) return
  throw new UsageError(
    `Cannot write a receiver: "${present}" already exists. Move it away, or omit --receiver`,
  )
}

function nextSteps(file: string): string {
  return `Wrote ${file}

Next:
  1. Put the URL of your receiver into ${file}.
  2. npx hookbench cert localhost    makes a certificate that deliveries trust, if your receiver has none
  3. npx hookbench check             checks your receiver by its answers
  4. Set "effects", so that the checks also see the effects of notifications.`
}

function receiverSteps(files: readonly string[], advice: string): string {
  return `Wrote ${files.join(', ')}

Next:
  1. npx hookbench cert localhost    makes the certificate of the receiver
  2. npx hookbench check             starts the receiver, and runs all checks
${advice}`
}

interface Starter {
  /** The text of each file, by file path. The configuration file comes last. */
  readonly texts: ReadonlyMap<string, string>
  readonly advice: string
}

/** The example secrets in the published documentation. A starter replaces these example secrets with new secrets. */
const PUBLISHED = ['3f9c1d2ab47e8051c6d20a94e7b1358f', 'only-this-receiver-and-the-service-know-it']

export function createStarter(language: ReceiverLanguage, config: string): Starter {
  const { texts, advice } = language === 'node' ? nodeStarter(config) : pageStarter(PAGES[language])
  const secrets = PUBLISHED.map((published) => [published, secretText()] as const)
  const withSecrets = (text: string) =>
    secrets.reduce((changed, [published, own]) => changed.replaceAll(published, own), text)
  return { texts: new Map(Array.from(texts, ([path, text]) => [path, withSecrets(text)])), advice }
}

function nodeStarter(config: string): Starter {
  const files = ['main.mjs', 'receiver.mjs', 'service.mjs', 'store.mjs'].map(
    (name) => [`receiver/${name}`, readFile(`contracts/reference-receiver/starter/${name}`)] as const,
  )
  const text = readTemplate(config.endsWith('.ts') ? 'receiver.ts.txt' : 'receiver.yaml')
  return {
    texts: new Map([...files, [config, text]]),
    advice: `  3. Let your platform act in act() of receiver/main.mjs, which the receiver calls once for each success.
Its addresses contain a secret. Keep ${config} and receiver/main.mjs private, or set another secret in RECEIVER_TOKEN.`,
  }
}

/** Returns a page's code blocks that have a file name in brackets. Tests run these code blocks. */
function pageStarter(page: string): Starter {
  const blocks = readFile(`docs/receivers/${page}.md`).matchAll(/^```\w+ \[([^\]]+)\]\n(.*?)^```$/gms)
  return {
    texts: new Map(Array.from(blocks, ([, path = '', text = '']) => [path, text])),
    advice: `  3. Release goods where the receiver writes "releases", in the same transaction.
Its requirements and its code are explained at https://hookbench.github.io/hookbench/receivers/${page}
hookbench.config.yaml contains new secrets. Keep the file private.`,
  }
}

function readTemplate(name: string): string {
  return readFile(`contracts/config/templates/${name}`)
}

function readFile(path: string): string {
  const text = readPackageFile(path)
  if (text === undefined)
    throw new Error(`Cannot write a receiver: "${path}" is missing in the installed package`)
  return text
}
