/** A remedy in its parts, of which every other one is a command, as the program that is installed says it: that of one file has no npx. */
export function splitRemedy(remedy: string): readonly string[] {
  return remedy.split(/"((?:npx )?hookbench [^"]*)"/)
}
