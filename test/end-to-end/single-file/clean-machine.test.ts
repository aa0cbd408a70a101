import {
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  realpathSync,
} from 'node:fs'
import { join, dirname } from 'node:path'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERSION } from '../../../sandbox/engine/core/version.ts'
import type { JobPage } from '../../../spec/generated/control-types.ts'
import { IS_SINGLE_FILE, SINGLE_FILE, run } from '../../support/installed-package.ts'
import { useWorkshop } from '../../support/workshop.ts'

/** Creates a root folder that contains only the program and its linked libraries. */
function makeCleanRoot(program: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookbench-root-')))
  for (const file of [program, ...librariesOf(program)]) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    copyFileSync(realpathSync(file), join(root, file))
  }
  addDevices(root)
  mkdirSync(join(root, 'etc'), { recursive: true })
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  return root
}

function librariesOf(program: string): readonly string[] {
  return [...run('ldd', [program], '/').matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path)
}

function addDevices(root: string): void {
  mkdirSync(join(root, 'dev'), { recursive: true })
  for (const device of ['null', 'zero', 'random', 'urandom'])
    cpSync(`/dev/${device}`, join(root, 'dev', device), { recursive: true })
  mkdirSync(join(root, 'tmp'), { recursive: true, mode: 0o777 })
}

const URL_OF_TYPES = '/notifications/{object_type}/3f9c1d2ab47e8051c6d20a94e7b1358f'

describe.runIf(IS_SINGLE_FILE)(
  'the single file on a machine without other software',
  { tags: IS_SINGLE_FILE ? 'machine-root' : [] },
  () => {
    let root: string
    beforeAll(() => {
      root = makeCleanRoot(SINGLE_FILE)
    })
    afterAll(() => rmSync(root, { recursive: true }))

    function openMachine(variables: Readonly<Record<string, string>> = {}) {
      const shop = useWorkshop(variables, ['chroot', root])
      return shop
    }

    test('the single file prints its version despite Node variables in the environment', async () => {
      const { stdout, stderr } = await openMachine({ NODE_OPTIONS: '--no-such-option' }).run('--version')

      expect([stdout.trim(), stderr]).toEqual([VERSION, ''])
    })

    test('the single file runs a sandbox, the dashboard, a receiver that gets notifications, and the checks', async () => {
      const shop = openMachine()
      const up = await shop.up('--clock', 'manual')
      const ready = await shop.run('ready')
      await shop.run('cert', 'localhost', '--out', '/certs')
      const pem = (name: string) => readFileSync(join(root, 'certs', name), 'utf8')
      const receiver = await shop.receiver({ cert: pem('localhost.crt.pem'), key: pem('localhost.key.pem') })
      const url = receiver.url.replace(/\/hooks.*/, URL_OF_TYPES)

      const registered = await shop.run('register', url)
      const played = await shop.run('play', 'card-payin', '--pace', 'instant')
      await shop.run('advance', '1h')
      const { jobs } = await shop.json<JobPage>('jobs')
      const page = await (await fetch(String(up.ready['bench_url']))).text()
      const [, script = ''] = /src="\.?\/?(assets\/[^"]+\.js)"/.exec(page) ?? []
      const asset = await (await fetch(`${String(up.ready['bench_url'])}/${script}`)).text()
      const check = await shop.run('check', url, 'registration', '--port', '0')
      const doctor = await shop.run('doctor')
      const down = await shop.run('down')

      for (const { code, stderr } of [ready, registered, played, doctor, down])
        expect([code, stderr]).toEqual([0, ''])
      expect(jobs.map(({ object_type, state, status }) => `${object_type} ${state} ${status}`)).toEqual([
        'items pending success',
        'transactions successful success',
        'items payment_deposited success',
        'batch_transactions successful success',
        'items completed success',
      ])
      expect(receiver.received.join()).toContain('"state":"completed"')
      expect(page).toContain('<title>Hookbench')
      expect(asset.length).toBeGreaterThan(50_000)
      expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('4 passed · 0 failed')])
      expect(await up.ended()).toMatchObject({ code: 0 })
    })

    test.each([
      [
        'ts',
        `import { port } from './ports.ts'\nimport type { Config } from 'hookbench/config'\nexport default { benchPort: port satisfies number } satisfies Config`,
      ],
      ['js', `export default { benchPort: await Promise.resolve(70_000) }`],
      ['json', `{ "benchPort": 70000 }`],
      ['yaml', `benchPort: 70000`],
    ])('the single file reads a configuration file in the format .%s', async (extension, text) => {
      mkdirSync(join(root, 'configs'), { recursive: true })
      writeFileSync(join(root, 'configs/package.json'), '{ "type": "module" }')
      writeFileSync(join(root, 'configs/ports.ts'), 'export const port: number = 70_000')
      writeFileSync(join(root, `configs/hookbench.${extension}`), text)

      const file = `/configs/hookbench.${extension}`
      const { code, stderr } = await openMachine().run('up', '--memory', '--config', file)

      expect([code, stderr]).toEqual([2, expect.stringContaining('"benchPort"')])
      expect(stderr).toContain(file)
    })

    test.each(['ts', 'json-schema', 'openapi'])('the single file generates %s', async (language) => {
      const args = ['generate', '--lang', language, '--out', `/${language}`]
      const { code, stdout, stderr } = await openMachine().run(...args)

      expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(/^Wrote \d+ files? into /)])
    })

    test.each(['bash', 'zsh', 'fish'])('the single file completes commands in %s', async (shell) => {
      const { code, stdout } = await openMachine().run('completion', shell)
      const completed = await openMachine().run('complete', '--', 'do')

      expect([code, stdout]).toEqual([0, expect.stringContaining(`# ${shell} completion for hookbench`)])
      expect(completed.stdout).toMatch(/^doctor\t/m)
    })

    test('the single file writes a configuration and a receiver, and prints its own command name', async () => {
      const { code, stdout, stderr } = await openMachine().run('init', '--receiver')
      rmSync(join(root, 'hookbench.config.ts'))
      const inRuby = await openMachine().run('init', '--receiver', '--lang', 'ruby')
      const help = await openMachine().run('--help')

      expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(/^ +2\. hookbench check/m)])
      expect(readFileSync(join(root, 'receiver/main.mjs'), 'utf8')).toContain('serveEndpoint')
      expect([inRuby.code, readFileSync(join(root, 'config.ru'), 'utf8')]).toEqual([
        0,
        expect.stringContaining('Rack::Request'),
      ])
      expect(help.stdout).not.toContain('npx')
    })
  },
)
