import { readFileSync } from 'node:fs'
import { describeFileError } from './files.ts'

/** Returns the PEM of a CA. `name` is the option or variable that contains the path. Throws RangeError that names the fix. */
export function readCaFile(path: string, name: string): string {
  const remedy =
    'Give a PEM file with the CA certificate, for example from "npx hookbench cert NAME --with-ca"'
  try {
    const text = readFileSync(path, 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  } catch (cause) {
    throw new RangeError(`Cannot use ${name} "${path}": ${describeFileError(cause)}. ${remedy}`, { cause })
  }
  throw new RangeError(`Cannot use ${name} "${path}": it contains no certificate. ${remedy}`)
}
