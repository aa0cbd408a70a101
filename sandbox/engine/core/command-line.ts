export const DEFAULT_DATA_FOLDER = '.hookbench'

/** What to do about a failure, and the command that does it, such as `jobs`. */
export interface Remedy {
  readonly hint: string
  readonly command?: string | undefined
}

/** Which sandbox a command is for, and which of its worlds; the default ones where left out. */
export interface CommandTarget {
  readonly data?: string | undefined
  readonly world?: string | undefined
}

/** Those that start or end a whole sandbox, deal with all of its worlds, or only with its folder. */
const WITHOUT_WORLD: ReadonlySet<string> = new Set(['up', 'demo', 'down', 'worlds', 'cert'])

/** A command as it is typed, for a data folder or a world of it; it names either, unless that is the default. */
export function commandLine(command: string, target: string | CommandTarget = {}): string {
  const { data = DEFAULT_DATA_FOLDER, world } = typeof target === 'string' ? { data: target } : target
  const [name = ''] = command.split(' ', 1)
  const options = [
    ...(data === DEFAULT_DATA_FOLDER ? [] : ['--data', quoteForShell(data)]),
    ...(world === undefined || WITHOUT_WORLD.has(name) ? [] : ['--world', quoteForShell(world)]),
  ]
  return ['npx hookbench', command, ...options].join(' ')
}

/** Returns a text with a capital letter at its start. */
export function startSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

export function formatRemedy({ hint, command }: Remedy, target?: string | CommandTarget): string {
  return command === undefined ? hint : `${hint} with "${commandLine(command, target)}"`
}

/** As a POSIX shell takes it for one word. */
export function quoteForShell(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
