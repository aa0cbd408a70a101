/** The token that stands behind the `#` of an address, as it was before it was encoded. */
export function tokenInAddress(hash: string): string | undefined {
  const [, given] = /^#token=(.+)/s.exec(hash) ?? []
  if (given === undefined) return undefined
  try {
    return decodeURIComponent(given)
  } catch {
    // Typed by hand, as it is.
    return given
  }
}
