import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { listCommands } from '../../build/page-commands.ts'
import { useWorkshop } from '../support/workshop.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Opens a test folder with a fake browser that writes opened URLs to a file. */
function openShop() {
  const bin: Record<string, string> = {}
  const shop = useWorkshop(bin)
  const folder = join(shop.folder, 'bin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > "${shop.folder}/opened"\n`, {
    mode: 0o755,
  })
  bin['PATH'] = `${folder}:${process.env['PATH']}`
  return shop
}

test('the command "up" prints the dashboard URL without the token when other people may see the output', async () => {
  const shop = openShop()
  const up = shop.start('up', '--memory', '--port', '0', '--bench-port', '0')

  const line = await up.line(/dashboard/)
  await up.end('SIGTERM')

  expect(line).toMatch(/dashboard +http:\/\/127\.0\.0\.1:\d+\/$/)
})

test('the command "up --open" opens the dashboard in the browser with a URL that contains the token', async () => {
  const shop = openShop()
  const up = await shop.up('--memory', '--open')
  const opened = join(shop.folder, 'opened')
  const token = readFileSync(join(shop.folder, '.hookbench/token'), 'utf8').trim()

  await expect
    .poll(() => (existsSync(opened) ? readFileSync(opened, 'utf8') : ''), { timeout: 60_000 })
    .not.toBe('')
  await up.end('SIGTERM')

  expect(readFileSync(opened, 'utf8')).toBe(`${String(up.ready['bench_url'])}/#token=${token}`)
})

function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-checkout-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of [
    'bin',
    'build',
    'contracts',
    'generators',
    'sandbox',
    'spec',
    'tsconfig.json',
    'package.json',
    'package-lock.json',
  ])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  return folder
}

test('the dashboard is built only when stale, and a failed build does not prevent a start', () => {
  const folder = copyCheckout()
  const build = (...options: readonly string[]) =>
    spawnSync(process.execPath, ['build/dashboard.ts', ...options], {
      cwd: folder,
      encoding: 'utf8',
    })
  const index = join(folder, 'dist/dashboard/index.html')
  const source = join(folder, 'sandbox/dashboard/index.html')

  const first = build('--if-stale', '--or-go-on')
  expect([first.status, first.stdout, first.stderr]).toEqual([0, '', ''])
  const built = statSync(index).mtimeMs
  build('--if-stale')
  const again = statSync(index).mtimeMs
  writeFileSync(source, readFileSync(source, 'utf8').replace('<title>Hookbench', '<title>Changed'))
  build('--if-stale')
  const changed = readFileSync(index, 'utf8')
  writeFileSync(join(folder, 'sandbox/dashboard/main.tsx'), 'this is no code')
  const [broken, start] = [build('--if-stale'), build('--if-stale', '--or-go-on')]

  expect(again).toBe(built)
  expect(changed).toContain('<title>Changed')
  expect([broken.status, start.status]).toEqual([1, 0])
  expect(start.stderr).toContain('npm run dashboard')
})

test('the dashboard contains all commands of the CLI', async () => {
  execFileSync(process.execPath, ['build/dashboard.ts', '--if-stale'], { cwd: ROOT })
  const assets = join(ROOT, 'dist/dashboard/assets')
  const name = readdirSync(assets).find((each) => each.includes('commands')) ?? expect.fail()

  const { commands } = await import(join(assets, name))
  expect(commands).toEqual(JSON.parse(JSON.stringify(await listCommands())))
})

test('the control API returns the findings of doctor', async () => {
  const shop = openShop()
  const up = await shop.up('--memory', '--clock', 'manual')
  const token = readFileSync(join(shop.folder, '.hookbench/token'), 'utf8').trim()
  const { bench_url: bench } = JSON.parse(readFileSync(join(shop.folder, '.hookbench/run.json'), 'utf8'))

  const response = await fetch(`${bench}/control/diagnosis`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  const told = await shop.run('doctor', '--json')
  await up.end('SIGTERM')

  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(JSON.parse(told.stdout))
})
