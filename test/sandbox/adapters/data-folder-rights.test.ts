import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tightenRights } from '../../../sandbox/adapters/data-folder-rights.ts'
import { openDataFolder } from '../../../sandbox/adapters/data-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const SECRETS = ['store.sqlite', 'store.sqlite-wal', 'token', 'token-key', 'ca/ca.key.pem']
const PUBLIC = 'ca/ca.crt.pem'

function looseFolder() {
  const folder = openDataFolder(temporaryFolder())
  mkdirSync(folder.caFolder)
  chmodSync(folder.caFolder, 0o755)
  for (const name of [...SECRETS, PUBLIC]) writeFileSync(join(folder.path, name), '')
  for (const name of [...SECRETS, PUBLIC]) chmodSync(join(folder.path, name), 0o644)
  chmodSync(folder.path, 0o755)
  return folder
}

const modeOf = (path: string) => statSync(path).mode & 0o777

test('tightenRights() removes the rights of other users and lists the changed files', () => {
  const folder = looseFolder()

  const tightened = tightenRights(folder)

  const secrets = SECRETS.map((name) => join(folder.path, name))
  expect(tightened.toSorted()).toEqual([folder.path, folder.caFolder, ...secrets].toSorted())
  expect([modeOf(folder.path), ...secrets.map(modeOf)]).toEqual([0o700, ...SECRETS.map(() => 0o600)])
  expect(modeOf(join(folder.path, PUBLIC))).toBe(0o644)
  expect(tightenRights(folder)).toEqual([])
})

test('tightenRights() does not change the target of a symbolic link', () => {
  const folder = looseFolder()
  const elsewhere = join(folder.caFolder, 'elsewhere.crt.pem')
  writeFileSync(elsewhere, '')
  chmodSync(elsewhere, 0o644)
  symlinkSync(elsewhere, join(folder.path, 'linked'))

  tightenRights(folder)

  expect(modeOf(elsewhere)).toBe(0o644)
})
