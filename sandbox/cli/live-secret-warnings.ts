import { printWarning } from './failure.ts'

/** Warns about secrets that look like secrets of a live service. Prints only the name of the option, not the secret. */
export function warnOfLiveSecrets(secretByName: Readonly<Record<string, string | undefined>>): void {
  for (const [name, secret = ''] of Object.entries(secretByName)) {
    const sign = findLiveSign(secret)
    if (sign === undefined) continue
    printWarning(
      `The ${name} looks like a secret of a live service: ${sign}. The sandbox never needs such a secret. Use any other text, and keep the real secret out of this folder`,
    )
  }
}

/** Patterns that match secrets of live services, such as "sk_live_…", "prod-…" or a signed token. */
const SIGNS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/(^|[^a-z])(live|prod|production)([^a-z]|$)/i, 'the text contains "live" or "production"'],
  [/^eyJ[\w-]+\.eyJ[\w-]+\./, 'the text is a signed token'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'the text is a private key'],
  [/^(AKIA|ASIA)[A-Z0-9]{16}$/, 'the text is an AWS key'],
  [/^(gh[opsu]_|github_pat_|glpat-|xox[abpr]-)/, 'the text is a token of a code host or a chat service'],
]

/** Describes why a secret looks live, without revealing the secret. Returns undefined if no pattern matches. */
export function findLiveSign(secret: string): string | undefined {
  return SIGNS.find(([pattern]) => pattern.test(secret))?.[1]
}
