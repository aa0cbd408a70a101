/** Splits a remedy. Every other part is a command, spelled for this installation. */
export function splitRemedy(remedy: string): readonly string[] {
  return remedy.split(/"((?:npx )?hookbench [^"]*)"/)
}
