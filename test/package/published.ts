import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { weigh, countPackages, formatBytes } from '../support/package-weight.ts'
import { install, ROOT, run, type Place } from './place.ts'
import type { Trial } from './trial.ts'

const ATTW = '@arethetypeswrong/cli@0.18.5'

/** What is tried of it before anybody installs it; publint is part of npm test. */
export function publishedTrials(): Trial[] {
  return [
    { name: 'no resolver finds wrong types (arethetypeswrong)', run: judgeTypes },
    { name: 'the action installs from a checkout what the sources load, and no more', run: installForAction },
  ]
}

async function judgeTypes(place: Place): Promise<void> {
  const cwd = place.makeFolder('attw')
  await install([ATTW], { cwd })
  await run('npx', ['--no-install', 'attw', place.tarball, '--format', 'ascii', '--no-emoji'], { cwd })
}

async function installForAction(place: Place): Promise<void> {
  const cwd = place.makeFolder('checkout')
  const files = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  })
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    cpSync(join(ROOT, file), join(cwd, file))
  }
  const args = [
    'ci',
    '--omit=dev',
    '--workspace=build/bundled',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
  ]
  await run('npm', args, { cwd })
  const checks = await run(process.execPath, ['bin/hookbench.js', 'check', '--list'], { cwd })
  if (!checks.includes('registration/accepts-test-post')) throw new Error(`it lists no checks: ${checks}`)
  await run(process.execPath, ['bin/hookbench.js', 'generate', '--out', 'generated'], { cwd })
  const packages = countPackages(cwd)
  console.log(`    ${formatBytes(weigh(join(cwd, 'node_modules')).bytes)}, ${packages} packages`)
  if (packages > 60) throw new Error(`${packages} packages are installed; at most 60 may be`)
}
