import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { useWorkshop } from '../support/workshop.ts'
import { freePorts } from '../support/free-ports.ts'

test('the command "init --receiver" writes a receiver and its configuration, and never overwrites existing files', async () => {
  const shop = useWorkshop()
  const folder = join(shop.folder, 'receiver')
  mkdirSync(folder)

  const refused = await shop.run('init', '--receiver', '--yaml')
  const untouched = readdirSync(shop.folder)
  rmdirSync(folder)
  const written = await shop.run('init', '--receiver', '--yaml')
  const again = await shop.run('init', '--receiver')

  expect([refused.code, refused.stderr, untouched]).toEqual([
    2,
    expect.stringContaining('"receiver" already exists'),
    ['receiver'],
  ])
  expect([written.code, readdirSync(shop.folder), readdirSync(folder)]).toEqual([
    0,
    ['hookbench.config.yaml', 'receiver'],
    ['main.mjs', 'receiver.mjs', 'service.mjs', 'store.mjs'],
  ])
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists')])
})

test('the command "init --lang" writes a configuration without TypeScript, and --receiver adds a receiver in the language of --lang', async () => {
  const shop = useWorkshop()
  const config = join(shop.folder, 'hookbench.config.yaml')

  const alone = await shop.run('init', '--lang', 'ruby')
  const text = readFileSync(config, 'utf8')
  rmSync(config)
  const written = await shop.run('init', '--receiver', '--lang', 'php', '--json')
  const names = readdirSync(shop.folder)
  rmSync(config)
  const again = await shop.run('init', '--receiver', '--lang', 'php')

  expect([alone.code, text]).toEqual([0, expect.stringMatching(/^receiver:$/m)])
  expect(text).not.toMatch(/node_modules|npm/)
  expect(JSON.parse(written.stdout)).toEqual({
    file: 'hookbench.config.yaml',
    receiver: ['receiver.php', 'Caddyfile'],
  })
  expect(names).toEqual(['Caddyfile', 'hookbench.config.yaml', 'receiver.php'])
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('"receiver.php" already exists')])
})

test('a check starts and passes the receiver that init writes', async () => {
  const [port, pagePort, servicePort] = await freePorts(3)
  const shop = useWorkshop({
    // This `PATH` makes the commands use the same Node as the program.
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    RECEIVER_PORT: String(port),
    RECEIVER_PAGE_PORT: String(pagePort),
    HOOKBENCH_SERVICE_URL: `http://127.0.0.1:${servicePort}`,
  })
  const at = (path: string) => join(shop.folder, path)
  onTestFinished(async () => {
    if (existsSync(at('receiver/pid.txt')))
      process.kill(Number(readFileSync(at('receiver/pid.txt'), 'utf8')), 'SIGKILL')
    await shop.close()
  })
  await shop.run('init', '--receiver')
  await shop.run('cert', 'localhost')
  const config = readFileSync(at('hookbench.config.ts'), 'utf8')
  const [, token = ''] = /callbacks\/\{object_type\}\/([^']+)'/.exec(config) ?? []
  const moved = config.replaceAll('9443', String(port)).replaceAll('9444', String(pagePort))
  writeFileSync(at('hookbench.config.ts'), moved)

  const checks = ['registration', 'trust/lying-body', 'recovery/kill-after-answer']
  const { code, stdout } = await shop.run('check', ...checks, '--port', String(servicePort))

  expect(token).toMatch(/^[\w-]{43}$/)
  expect(readFileSync(at('receiver/main.mjs'), 'utf8')).toContain(token)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\d+ passed · 0 failed · 0 inconclusive/)])
})
