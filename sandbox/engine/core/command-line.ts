export const DEFAULT_DATA_FOLDER = '.hookbench'

/** What to do about a failure, and the command that does it, such as `jobs`. */
export interface Remedy {
  readonly hint: string
  readonly command?: string | undefined
}

/** A command as it is typed; it names the data folder, unless that is the default. */
export function commandLine(command: string, folder: string = DEFAULT_DATA_FOLDER): string {
  const data = folder === DEFAULT_DATA_FOLDER ? '' : ` --data ${quoteForShell(folder)}`
  return `npx hookbench ${command}${data}`
}

export function formatRemedy({ hint, command }: Remedy, folder?: string): string {
  return command === undefined ? hint : `${hint} with "${commandLine(command, folder)}"`
}

/** As a POSIX shell takes it for one word. */
export function quoteForShell(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
