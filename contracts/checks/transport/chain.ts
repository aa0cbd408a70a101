import type { TlsSeen } from '../../toolkit/tls-probe.ts'

/** By its names, whether or not this machine trusts it. */
export function isSelfSigned({ chain: [leaf], distrust }: TlsSeen): boolean {
  return distrust === 'tls_self_signed' || (leaf !== undefined && leaf.subject === leaf.issuer)
}

/** Why the leaf is not for the host; undefined if it is. */
export function describeNameFault(
  { chain: [leaf], distrust, message }: TlsSeen,
  hostname: string,
): string | undefined {
  if (distrust === 'tls_hostname') return message
  // Where it was distrusted for something else, nobody has looked at its names yet.
  if (distrust === null || !leaf || leaf.names.some((name) => isFor(name, hostname))) return undefined
  return `its certificate is for ${leaf.names.join(', ') || 'no host'}`
}

/** A wildcard stands for one label, the first. Source: RFC 9525 */
function isFor(given: string, hostname: string): boolean {
  const name = given.replace(/^(DNS|IP Address|IP):/, '').toLowerCase()
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (!name.startsWith('*.')) return name === host
  const [, ...rest] = host.split('.')
  return name.slice(2) === rest.join('.')
}

/** Why the leaf is not valid when it was seen; undefined if it is. */
export function describeValidityFault({ chain: [leaf], seenAt }: TlsSeen): string | undefined {
  if (!leaf) return undefined
  const now = Date.parse(seenAt)
  if (now < Date.parse(leaf.notBefore)) return `its certificate is valid from ${leaf.notBefore} on`
  return now > Date.parse(leaf.notAfter) ? `its certificate was valid until ${leaf.notAfter}` : undefined
}

/** The issuer that was not sent although the chain is not trusted without it; undefined if none is missing. */
export function findMissingIssuer({ chain, distrust }: TlsSeen): string | undefined {
  const broken = chain.find(({ issuer }, index) => {
    const next = chain[index + 1]
    return next !== undefined && next.subject !== issuer
  })
  if (broken) return broken.issuer
  const [leaf, ...others] = chain
  const isAlone = leaf !== undefined && others.length === 0
  return isAlone && distrust === 'tls_incomplete_or_untrusted_chain' ? leaf.issuer : undefined
}
