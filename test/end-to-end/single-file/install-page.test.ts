import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERSION } from '../../../sandbox/engine/core/version.ts'
import { openContainerHost, type ContainerHost } from '../../support/containers.ts'
import { fillDebianRoot } from '../../support/debian-root.ts'
import { ARCHIVE, IS_SINGLE_FILE, ROOT } from '../../support/installed-package.ts'
import { readPageCode } from '../../support/page-code.ts'

describe.runIf(IS_SINGLE_FILE)(
  'the page about installing',
  { tags: IS_SINGLE_FILE ? 'machine-root' : [] },
  () => {
    let root: string
    let host: ContainerHost

    beforeAll(async () => {
      root = mkdtempSync(join(tmpdir(), 'hookbench-install-'))
      host = await openContainerHost()
      fillDebianRoot(root, ['libatomic1'])
      await host.run({ root }, 'apt-get', 'update')
      mkdirSync(join(root, 'work'))
      copyFileSync(ARCHIVE, join(root, 'work/hookbench-linux-x64.tar.gz'))
    })
    afterAll(async () => {
      await host.close()
      rmSync(root, { recursive: true })
    })

    test('installs the single file on a small Debian', async () => {
      const scripts = readPageCode(join(ROOT, 'docs/install.md')).filter(
        ({ language, notRun }) => language === 'sh' && notRun === undefined,
      )

      const ended = []
      for (const { text } of scripts)
        ended.push(await host.run({ root, folder: '/work' }, 'sh', '-e', '-c', text))

      expect(ended.map(({ code, stderr }) => [code, stderr.replaceAll(/^(debconf|W): .*\n/gm, '')])).toEqual([
        [0, ''],
        [0, ''],
      ])
      expect(ended.at(-1)?.stdout.trim()).toBe(VERSION)
    })
  },
)
