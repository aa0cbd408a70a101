/** Bugs that test sandboxes have reported since the last call. */
const reported: unknown[] = []

export function reportSandboxError(error: unknown): void {
  reported.push(error)
}

export function takeSandboxErrors(): readonly unknown[] {
  return reported.splice(0)
}
