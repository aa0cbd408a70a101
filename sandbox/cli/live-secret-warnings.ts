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

/** What a secret has that a service gives out for real money, by the habits of services: "sk_live_…", "prod-…", a signed token. */
const SIGNS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/(^|[^a-z])(live|prod|production)([^a-z]|$)/i, 'it says "live" or "production"'],
  [/^eyJ[\w-]+\.eyJ[\w-]+\./, 'it is a signed token'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'it is a private key'],
  [/^(AKIA|ASIA)[A-Z0-9]{16}$/, 'it is a key of AWS'],
  [/^(gh[opsu]_|github_pat_|glpat-|xox[abpr]-)/, 'it is a token of a code host or a chat'],
]

/** Why a secret looks like one of a live service, without a character of it; undefined if it does not. */
export function findLiveSign(secret: string): string | undefined {
  return SIGNS.find(([pattern]) => pattern.test(secret))?.[1]
}
