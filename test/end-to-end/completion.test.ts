import { mkdirSync, writeFileSync } from 'node:fs'
import { spawnSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { PROGRAM_COMMAND } from '../support/installed-package.ts'
import { useWorkshop } from '../support/workshop.ts'
import { BASH_COMPLETION } from '../support/tools.ts'

const KEYS = { tab: '\t', insertAll: '\u001b*', clear: '\u0015', show: '\u0007' } as const

interface Typed {
  readonly lines: readonly string[]
  readonly screen: string
}

interface Shell {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

const PROMPT = 'READY: '
const LINE = /<<([^>]*)>>/g

async function typeInto({ command, cwd, env }: Shell, groups: readonly string[]): Promise<Typed> {
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

const shop = useWorkshop()
const bin = join(shop.folder, 'bin')
const env = { HOME: shop.folder, PATH: `${bin}:${process.env['PATH']}` }

beforeAll(async () => {
  const program = `#!/bin/sh\nexec ${PROGRAM_COMMAND.map((word) => `"${word}"`).join(' ')} "$@"\n`
  mkdirSync(bin)
  writeFileSync(join(bin, 'hookbench'), program, { mode: 0o755 })
  writeFileSync(join(shop.folder, 'world.json'), '{}')
  for (const shell of ['bash', 'zsh', 'fish']) {
    writeFileSync(join(shop.folder, `completion.${shell}`), (await shop.run('completion', shell)).stdout)
  }
})

const LINES = [
  ['hookbench unreg', 'hookbench unregister'],
  ['hookbench jobs --sta', 'hookbench jobs --status'],
  ['hookbench jobs --status pen', 'hookbench jobs --status pending'],
  ['npx hookbench readings set retry-w', 'npx hookbench readings set retry-window'],
  ['npx hookbench clock set man', 'npx hookbench clock set manual'],
  ['hookbench snapshot restore wor', 'hookbench snapshot restore world.json'],
  ['npx hookbench check --config wor', 'npx hookbench check --config world.json'],
  ['hookbench check order/final-then-e', 'hookbench check order/final-then-earlier'],
] as const

const KEYS_OF_LINES = LINES.map(([typed]) => `${typed}${KEYS.tab}`)
const COMPLETED = LINES.map(([, completed]) => completed)

function bashWith(...before: readonly string[]): string {
  const file = join(shop.folder, `bashrc-${before.length}`)
  const show = `show() { printf '<<%s>>' "$READLINE_LINE"; }; bind -x '"\\C-g": show'`
  writeFileSync(file, [...before, 'source completion.bash', `PS1='${PROMPT}'`, show, ''].join('\n'))
  return `bash --noprofile --rcfile ${file} -i`
}

test(
  'bash completes commands, options, values and files without bash-completion',
  { tags: ['bash', 'terminal'] },
  async () => {
    const { lines } = await typeInto({ command: bashWith(), cwd: shop.folder, env }, [
      ...KEYS_OF_LINES,
      `hookbench faults ${KEYS.insertAll}`,
    ])

    expect(lines.map((line) => line.trimEnd())).toEqual([
      ...COMPLETED,
      'hookbench faults add clear kinds remove',
    ])
  },
)

test(
  'bash completes the same command lines when bash-completion is installed',
  { tags: ['bash', 'bash-completion', 'terminal'] },
  async () => {
    const command = bashWith(`source ${BASH_COMPLETION}`)

    const { lines } = await typeInto({ command, cwd: shop.folder, env }, KEYS_OF_LINES)

    expect(lines.map((line) => line.trimEnd())).toEqual(COMPLETED)
  },
)

test(
  'bash completion does not execute any part of the command line',
  { tags: ['bash', 'terminal'] },
  async () => {
    const file = join(shop.folder, 'world.json')
    const show = `bind -x '"\\C-g": printf "<<%s>>" "$(cat ${file})"'`
    writeFileSync(join(shop.folder, 'bashrc-safe'), `source completion.bash\nPS1='${PROMPT}'\n${show}\n`)
    const command = `bash --noprofile --rcfile ${join(shop.folder, 'bashrc-safe')} -i`

    const { lines } = await typeInto({ command, cwd: shop.folder, env }, [
      `hookbench show items $(echo lost > ${file}) --js${KEYS.tab}`,
      `hookbench jobs > ${file} --sta${KEYS.tab}`,
    ])

    expect(lines).toEqual(['{}', '{}'])
  },
)

test('zsh completes the same command lines with descriptions', { tags: ['terminal', 'zsh'] }, async () => {
  const show = `show() { print -rn -- "<<$BUFFER>>" }; zle -N show; bindkey '^G' show; bindkey -e; bindkey '^G' show`
  const setUp = ['autoload -Uz compinit', 'compinit -u -D', 'source completion.zsh', show, `PS1='${PROMPT}'`]
  writeFileSync(join(shop.folder, '.zshrc'), `${setUp.join('\n')}\n`)
  const shell = { command: 'zsh -d -i', cwd: shop.folder, env: { ...env, ZDOTDIR: shop.folder } }

  const { lines, screen } = await typeInto(shell, [...KEYS_OF_LINES, `hookbench regist${KEYS.tab}`])

  expect(lines.slice(0, -1).map((line) => line.trimEnd())).toEqual(COMPLETED)
  expect(screen).toMatch(/registrations +-- list the registered URLs/)
})

test('fish completes the same command lines with descriptions', { tags: 'fish' }, () => {
  const asked = LINES.map(([typed]) => `complete -C '${typed}'`)

  const { stdout, stderr } = spawnSync(
    'fish',
    ['--no-config', '-c', ['source completion.fish', ...asked].join('\n')],
    { cwd: shop.folder, env, encoding: 'utf8' },
  )

  const words = stdout.trim().split('\n')
  expect(stderr).toBe('')
  expect(words.map((line) => line.split('\t')[0])).toEqual(COMPLETED.map((line) => line.split(' ').at(-1)))
  expect(words[0]).toBe('unregister\tdelete a registration')
})

test(
  'the completion script uses the program of the project instead of a globally installed program',
  { tags: 'bash' },
  () => {
    const project = join(shop.folder, 'project')
    mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
    const program = join(project, 'node_modules/.bin/hookbench')
    writeFileSync(program, '#!/bin/sh\necho "the project: $*"\n', { mode: 0o755 })

    const { stdout } = spawnSync(
      'bash',
      ['-c', 'source ../completion.bash; __hookbench_run complete -- up'],
      {
        cwd: project,
        env,
        encoding: 'utf8',
      },
    )

    expect(stdout).toBe('the project: complete -- up\n')
  },
)

test("completion prints the script of the user's shell by default", async () => {
  const own = useWorkshop({ SHELL: '/usr/bin/fish' })
  const other = useWorkshop({ SHELL: '/bin/tcsh' })

  const [fish, tcsh] = await Promise.all([own.run('completion'), other.run('completion')])

  expect(fish.stdout).toMatch(/^# fish completion for hookbench/m)
  expect([tcsh.code, tcsh.stdout, tcsh.stderr]).toEqual([
    2,
    '',
    'hookbench: Cannot tell which shell to complete for: SHELL is "/bin/tcsh". Name the shell (bash, zsh or fish), such as "npx hookbench completion bash"\n',
  ])
})
