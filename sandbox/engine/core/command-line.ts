export const DEFAULT_DATA_FOLDER = '.hookbench'

/** The fix for a failure, with the command that a user can run, such as `jobs`. */
export interface Remedy {
  readonly hint: string
  readonly command?: string | undefined
}

export interface CommandTarget {
  readonly data?: string | undefined
  readonly world?: string | undefined
}

const WITHOUT_WORLD: ReadonlySet<string> = new Set(['up', 'demo', 'down', 'worlds', 'cert'])

export function commandLine(command: string, target: string | CommandTarget = {}): string {
  const { data = DEFAULT_DATA_FOLDER, world } = typeof target === 'string' ? { data: target } : target
  const [name = ''] = command.split(' ', 1)
  const options = [
    ...(data === DEFAULT_DATA_FOLDER ? [] : ['--data', quoteForShell(data)]),
    ...(world === undefined || WITHOUT_WORLD.has(name) ? [] : ['--world', quoteForShell(world)]),
  ]
  return ['npx hookbench', command, ...options].join(' ')
}

export function startSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

export function formatRemedy({ hint, command }: Remedy, target?: string | CommandTarget): string {
  return command === undefined ? hint : `${hint} with "${commandLine(command, target)}"`
}

export function quoteForShell(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
