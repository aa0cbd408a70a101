import { writeFileSync } from 'node:fs'
import { typescriptConfig, yamlConfig } from '../config/template.ts'
import { findConfigFile } from '../config/config-context.ts'
import { UsageError } from '../../sandbox/internal.ts'

export interface InitFlags {
  readonly yaml?: boolean
}

/** Writes a configuration, and says what to do next; never over an existing one. */
export function init({ yaml = false }: InitFlags): void {
  const present = findConfigFile()
  if (present !== undefined) {
    throw new UsageError(`Cannot write a configuration: "${present}" is here already; edit it, or remove it`)
  }
  const file = yaml ? 'hookbench.config.yaml' : 'hookbench.config.ts'
  // Fails if another program has written it in the meantime.
  writeFileSync(file, yaml ? yamlConfig : typescriptConfig, { flag: 'wx' })
  console.log(`Wrote ${file}

Next:
  1. Put the URL of your receiver into ${file}.
  2. npx hookbench cert localhost    makes a certificate that deliveries trust, if your receiver has none
  3. npx hookbench check             checks your receiver by its answers
  4. Set "effects", so that what it does with a notification is checked too.`)
}
