import { writeFileSync } from 'node:fs'
import { secretText, toPrintableJson, UsageError } from '../../sandbox/internal.ts'
import { findConfigFile } from '../config/config-context.ts'
import { starterConfig, starterYaml } from '../config/starter-template.ts'
import { typescriptConfig, yamlConfig } from '../config/template.ts'
import { requireNoReceiver, writeReceiver } from './starter-receiver.ts'

export interface InitFlags {
  readonly yaml?: boolean
  readonly receiver?: boolean
  readonly json?: boolean
}

/** Writes a configuration, and a receiver if asked to, and says what to do next; never over an existing one. */
export function init({ yaml = false, receiver = false, json = false }: InitFlags): void {
  const present = findConfigFile()
  if (present !== undefined) {
    throw new UsageError(`Cannot write a configuration: "${present}" is here already; edit it, or remove it`)
  }
  const file = yaml ? 'hookbench.config.yaml' : 'hookbench.config.ts'
  const files = receiver ? initReceiver(file, yaml ? starterYaml : starterConfig) : []
  // Fails if another program has written it in the meantime.
  if (!receiver) writeFileSync(file, yaml ? yamlConfig : typescriptConfig, { flag: 'wx' })
  if (json) console.log(toPrintableJson({ file, receiver: files }, 2))
  else console.log(receiver ? receiverSteps([...files, file]) : nextSteps(file))
}

function nextSteps(file: string): string {
  return `Wrote ${file}

Next:
  1. Put the URL of your receiver into ${file}.
  2. npx hookbench cert localhost    makes a certificate that deliveries trust, if your receiver has none
  3. npx hookbench check             checks your receiver by its answers
  4. Set "effects", so that what it does with a notification is checked too.`
}

/** Gives the files of the receiver that it has written. */
function initReceiver(file: string, configOf: (token: string) => string): readonly string[] {
  requireNoReceiver()
  const token = secretText()
  const written = writeReceiver(token)
  writeFileSync(file, configOf(token), { flag: 'wx' })
  return written
}

function receiverSteps(files: readonly string[]): string {
  return `Wrote ${files.join(', ')}

Next:
  1. npx hookbench cert localhost    makes the certificate that it serves
  2. npx hookbench check             starts it, and checks all that it does
  3. Let your platform act in act() of receiver/main.mjs, which is called once for each success.
Its addresses have a part that nobody can guess: keep both files to yourself, or name another by RECEIVER_TOKEN.`
}
