import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ObjectRecord, Payment } from '../../spec/generated/control-types.ts'
import { PROGRAM_COMMAND } from '../support/installed-package.ts'
import { openWorkshop } from '../support/program.ts'
import { KEYS, PROMPT, typeInto } from '../support/shells.ts'
import { BASH_COMPLETION } from '../support/tools.ts'

// The scripts in the shells themselves, each in a terminal of its own, against one sandbox.
const shop = openWorkshop()
const bin = join(shop.folder, 'bin')
const env = { HOME: shop.folder, PATH: `${bin}:${process.env['PATH']}` }
let payment: Payment
let item: string

beforeAll(async () => {
  const program = `#!/bin/sh\nexec ${PROGRAM_COMMAND.map((word) => `"${word}"`).join(' ')} "$@"\n`
  // The command that is in the path, and the one that npx starts.
  for (const folder of [bin, join(shop.folder, 'node_modules/.bin')]) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'hookbench'), program)
    chmodSync(join(folder, 'hookbench'), 0o755)
  }
  writeFileSync(join(shop.folder, 'body.json'), '{}')
  await shop.up('--memory', '--clock', 'manual')
  payment = await shop.json<Payment>('play', 'card-payin', '--pace', 'stepwise')
  await shop.json<ObjectRecord>('create', 'users', 'id=$(touch pwned)')
  item = payment.objects.find(({ object_type }) => object_type === 'items')?.id ?? ''
  for (const shell of ['bash', 'zsh', 'fish']) {
    writeFileSync(join(shop.folder, `completion.${shell}`), (await shop.run('completion', shell)).stdout)
  }
})

afterAll(() => shop.close())

/** What bash reads before it shows its prompt. */
function bashWith(...before: readonly string[]): string {
  const file = join(shop.folder, `bashrc-${before.length}`)
  const show = `show() { printf '<<%s>>' "$READLINE_LINE"; }; bind -x '"\\C-g": show'`
  writeFileSync(file, [...before, 'source completion.bash', `PS1='${PROMPT}'`, show, ''].join('\n'))
  return `bash --noprofile --rcfile ${file} -i`
}

test(
  'bash completes commands, values, ids and files, for hookbench and for npx hookbench',
  { tags: ['bash', 'terminal'] },
  async () => {
    const { lines } = await typeInto({ command: bashWith(), cwd: shop.folder, env }, [
      `hookbench jobs --status=pen${KEYS.tab}`,
      `npx hookbench next ${KEYS.tab}`,
      `hookbench show users ${KEYS.tab}`,
      `hookbench deliver --body @bo${KEYS.tab}`,
      `hookbench move items ${item} ${KEYS.insertAll}`,
    ])

    const { next } = await shop.json<{ readonly next: readonly string[] }>('describe', 'items', item)
    expect(lines.map((line) => line.trimEnd())).toEqual([
      'hookbench jobs --status=pending',
      `npx hookbench next ${payment.id}`,
      expect.stringMatching(/^hookbench show users/),
      'hookbench deliver --body @body.json',
      `hookbench move items ${item} ${next.join(' ')}`,
    ])
  },
)

test(
  'bash completes the same next to bash-completion',
  { tags: ['bash', 'bash-completion', 'terminal'] },
  async () => {
    const command = bashWith(`source ${BASH_COMPLETION}`)

    const { lines } = await typeInto({ command, cwd: shop.folder, env }, [
      `hookbench faults add delivery drop --match object_type=it${KEYS.tab}`,
      `hookbench show users \\$${KEYS.tab}`,
    ])

    expect(lines).toEqual([
      'hookbench faults add delivery drop --match object_type=items ',
      // One word, of which nothing is carried out.
      String.raw`hookbench show users \$\(touch\ pwned\) `,
    ])
  },
)

test('zsh completes them with a description of each', { tags: ['terminal', 'zsh'] }, async () => {
  const show = `show() { print -rn -- "<<$BUFFER>>" }; zle -N show; bindkey '^G' show; bindkey -e; bindkey '^G' show`
  const setUp = ['autoload -Uz compinit', 'compinit -u -D', 'source completion.zsh', show, `PS1='${PROMPT}'`]
  writeFileSync(join(shop.folder, '.zshrc'), `${setUp.join('\n')}\n`)
  const shell = { command: 'zsh -d -i', cwd: shop.folder, env: { ...env, ZDOTDIR: shop.folder } }

  const { lines, screen } = await typeInto(shell, [
    `hookbench jobs --status=pen${KEYS.tab}`,
    `npx hookbench next ${KEYS.tab}`,
    `hookbench deliver --body @bo${KEYS.tab}`,
    `hookbench readings set retry-window ${KEYS.tab}`,
  ])

  expect(lines.map((line) => line.trimEnd())).toEqual([
    'hookbench jobs --status=pending',
    `npx hookbench next ${payment.id}`,
    'hookbench deliver --body @body.json',
    'hookbench readings set retry-window',
  ])
  expect(screen).toMatch(/five-attempts +-- All five retries are sent/)
})

test('fish completes them with a description of each', { tags: 'fish' }, () => {
  const asked = ['hookbench jobs --status=pen', 'npx hookbench next ', 'hookbench deliver --body @bo']
  const lines = asked.map((line) => `complete -C '${line}'`)

  const { stdout, stderr } = spawnSync(
    'fish',
    ['--no-config', '-c', ['source completion.fish', ...lines].join('\n')],
    { cwd: shop.folder, env, encoding: 'utf8' },
  )

  expect([stderr, stdout.trim().split('\n')]).toEqual([
    '',
    ['--status=pending', `${payment.id}\tcard-payin to successful, step 1 of 2`, '@body.json'],
  ])
})

test('without an argument the script is that of the shell of the user', async () => {
  const own = openWorkshop({ SHELL: '/usr/bin/fish' })
  const other = openWorkshop({ SHELL: '/bin/tcsh' })

  const [fish, tcsh] = await Promise.all([own.run('completion'), other.run('completion')])
  own.close()
  other.close()

  expect(fish.stdout).toMatch(/^# Completion of hookbench for fish/)
  expect([tcsh.code, tcsh.stdout, tcsh.stderr]).toEqual([
    2,
    '',
    'hookbench: Cannot tell which shell to complete for: SHELL is "/bin/tcsh"; name one, such as "npx hookbench completion bash", or zsh, or fish\n',
  ])
})
