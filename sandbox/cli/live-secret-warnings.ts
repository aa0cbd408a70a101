import { findLiveSign } from '../engine/core/live-secrets.ts'
import { printWarning } from './failure.ts'

/** Warns of each that looks like a secret of a live service, by its name alone: whatever was pasted is not to be repeated. */
export function warnOfLiveSecrets(secretByName: Readonly<Record<string, string | undefined>>): void {
  for (const [name, secret = ''] of Object.entries(secretByName)) {
    const sign = findLiveSign(secret)
    if (sign === undefined) continue
    printWarning(
      `The ${name} looks like one of a live service: ${sign}. Nothing here needs one: give any other text, and keep it out of this folder`,
    )
  }
}
