import { printWarning } from './failure.ts'

/** Warns of secrets that look like those of a live service. Prints the name of the option, and not the secret. */
export function warnOfLiveSecrets(secretByName: Readonly<Record<string, string | undefined>>): void {
  for (const [name, secret = ''] of Object.entries(secretByName)) {
    const sign = findLiveSign(secret)
    if (sign === undefined) continue
    printWarning(
      `The ${name} looks like one of a live service: ${sign}. Nothing here needs one. Give any other text, and keep the secret out of this folder`,
    )
  }
}

/** Patterns of live secrets, such as "sk_live_…", "prod-…" or a signed token. */
const SIGNS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/(^|[^a-z])(live|prod|production)([^a-z]|$)/i, 'it says "live" or "production"'],
  [/^eyJ[\w-]+\.eyJ[\w-]+\./, 'it is a signed token'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'it is a private key'],
  [/^(AKIA|ASIA)[A-Z0-9]{16}$/, 'it is a key of AWS'],
  [/^(gh[opsu]_|github_pat_|glpat-|xox[abpr]-)/, 'it is a token of a code host or a chat'],
]

/** Describes the pattern of a live secret, without a character of it. Returns undefined if no pattern fits. */
export function findLiveSign(secret: string): string | undefined {
  return SIGNS.find(([pattern]) => pattern.test(secret))?.[1]
}
