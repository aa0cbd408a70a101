/** Returns the decoded token of `#token=…`. */
export function tokenInAddress(hash: string): string | undefined {
  const [, given] = /^#token=(.+)/s.exec(hash) ?? []
  if (given === undefined) return undefined
  try {
    return decodeURIComponent(given)
  } catch {
    // The user typed it without encoding.
    return given
  }
}
