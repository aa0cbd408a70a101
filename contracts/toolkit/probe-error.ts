/**
 * What the configuration names to see or handle your platform did not work: its effects, a command. The message has the remedy.
 * It keeps a run from beginning; later it leaves open what the check of that moment would have found.
 */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
}
