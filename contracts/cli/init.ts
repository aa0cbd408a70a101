import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { toPrintableJson, UsageError } from '../../sandbox/internal.ts'
import { findConfigFile } from '../config/config-context.ts'
import { plainYamlConfig, typescriptConfig, yamlConfig } from '../config/template.ts'
import { createStarter, type Language } from './starter-receiver.ts'

export interface InitFlags {
  readonly yaml?: boolean
  readonly receiver?: boolean
  readonly lang?: Language
  readonly json?: boolean
}

/** Writes a configuration, and a receiver on request. Never overwrites a file. */
export function init({ yaml = false, receiver = false, lang, json = false }: InitFlags): void {
  const present = findConfigFile()
  if (present !== undefined) {
    throw new UsageError(`Cannot write a configuration: "${present}" is here already. Edit it, or remove it`)
  }
  const file = yaml || lang !== undefined ? 'hookbench.config.yaml' : 'hookbench.config.ts'
  const starter = receiver ? createStarter(lang ?? 'node', file) : undefined
  const texts = starter?.texts ?? new Map([[file, configText(file, lang)]])
  const files = [...texts.keys()].filter((path) => path !== file)
  requireNone(files)
  for (const [path, text] of texts) {
    mkdirSync(dirname(path), { recursive: true })
    // Fails if another program has written the file meanwhile.
    writeFileSync(path, text, { flag: 'wx' })
  }
  if (json) console.log(toPrintableJson({ file, receiver: files }, 2))
  else console.log(starter ? receiverSteps([...files, file], starter.advice) : nextSteps(file))
}

function configText(file: string, lang: Language = 'node'): string {
  if (file.endsWith('.ts')) return typescriptConfig
  return lang === 'node' ? yamlConfig : plainYamlConfig
}

/** Throws UsageError if a file or folder of the receiver exists. */
function requireNone(files: readonly string[]): void {
  const present = files.map((path) => path.replace(/\/.*$/, '')).find((path) => existsSync(path))
  if (present === undefined) return
  throw new UsageError(
    `Cannot write a receiver: "${present}" is here already. Move it away, or leave out --receiver`,
  )
}

function nextSteps(file: string): string {
  return `Wrote ${file}

Next:
  1. Put the URL of your receiver into ${file}.
  2. npx hookbench cert localhost    makes a certificate that deliveries trust, if your receiver has none
  3. npx hookbench check             checks your receiver by its answers
  4. Set "effects", so that what it does with a notification is checked too.`
}

function receiverSteps(files: readonly string[], advice: string): string {
  return `Wrote ${files.join(', ')}

Next:
  1. npx hookbench cert localhost    makes the certificate that it serves
  2. npx hookbench check             starts it, and checks all that it does
${advice}`
}
