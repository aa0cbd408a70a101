import { spawn } from 'node:child_process'

export const KEYS = { tab: '\t', insertAll: '\u001b*', clear: '\u0015', show: '\u0007' } as const

/** What a shell does in a terminal. */
interface Typed {
  /** The line as it stands after each of the keys. */
  readonly lines: readonly string[]
  /** Everything that the terminal showed. */
  readonly screen: string
}

interface Shell {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** What a prompt has to be, and how a line has to be shown when `KEYS.show` is typed. */
export const PROMPT = 'READY: '
const LINE = /<<([^>]*)>>/g

/** Types these keys into an interactive shell, one group after the other: each is followed by the line as it stands then. */
export async function typeInto({ command, cwd, env }: Shell, groups: readonly string[]): Promise<Typed> {
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'dumb', INPUTRC: '/dev/null', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let typed = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    const shown = screen.match(LINE)?.length ?? 0
    if (typed > shown || !screen.includes(PROMPT)) return
    const keys = groups[typed]
    if (keys === undefined) resolve()
    else child.stdin.write(`${KEYS.clear}${keys}${KEYS.show}`)
    typed++
  })
  child.on('close', () => reject(new Error(`The shell has ended: ${screen}`)))
  try {
    await promise
  } finally {
    child.kill('SIGKILL')
  }
  return { lines: [...screen.matchAll(LINE)].map(([, line = '']) => line), screen }
}
