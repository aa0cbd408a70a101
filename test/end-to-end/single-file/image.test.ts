import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERSION } from '../../../sandbox/engine/core/version.ts'
import { openContainerHost, type ContainerHost } from '../../support/containers.ts'
import { buildImage, type Image } from '../../support/image.ts'
import { ARCHIVE, IS_SINGLE_FILE, run } from '../../support/installed-package.ts'
import { listedSize } from '../../support/listed-sizes.ts'

describe.runIf(IS_SINGLE_FILE)(
  'the image of docker/Dockerfile, carried out in a folder',
  { tags: IS_SINGLE_FILE ? 'machine-root' : [] },
  () => {
    let folder: string
    let root: string
    let host: ContainerHost
    let image: Image

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hookbench-image-'))
      root = join(folder, 'root')
      mkdirSync(root)
      host = await openContainerHost()
      image = await buildImage(host, root)
    })
    afterAll(async () => {
      await host.close()
      rmSync(folder, { recursive: true })
    })

    test('has the program, and no Node', async () => {
      const version = await host.run(image.container, ...image.entrypoint, '--version')
      const node = await host.run(image.container, 'sh', '-c', 'command -v node')

      expect([version.stdout.trim(), version.stderr, node.stdout]).toEqual([VERSION, '', ''])
    })

    test('runs it as a user who owns the data folder and nothing else', async () => {
      const { stdout } = await host.run(
        image.container,
        'sh',
        '-c',
        'id -u; pwd; find / -xdev -user hookbench -not -path "/proc/*" -not -path "/data/.*"',
      )

      expect(stdout.trim().split('\n')).toEqual(['10001', '/data', '/certificates', '/data'])
    })

    test('is healthy once its sandbox is ready, and not before', async () => {
      const before = await host.run(image.container, ...image.healthCheck, '--timeout', '0')
      const up = host.start(image.container, ...image.entrypoint, ...image.command)
      await up.line(/^ +dashboard/)
      const after = await host.run(image.container, ...image.healthCheck)
      const code = await up.end('SIGTERM')

      expect([before.code, after.code, code]).toEqual([3, 0, 0])
    })

    test('goes on with its volume after it was killed', async () => {
      const volume = join(folder, 'volume')
      mkdirSync(volume)
      chownSync(volume, 10_001, 10_001)
      const container = { ...image.container, mounts: { '/data': volume } }
      const begin = async () => {
        const up = host.start(container, ...image.entrypoint, ...image.command)
        await up.line(/^ +dashboard/)
        return up
      }

      const first = await begin()
      const created = await host.run(container, 'hookbench', 'create', 'items', 'amount=1200', '--json')
      await first.end('SIGKILL')
      const second = await begin()
      const shown = await host.run(container, 'hookbench', 'show', 'items', JSON.parse(created.stdout).id)
      const code = await second.end('SIGTERM')

      expect([shown.code, shown.stderr, code]).toEqual([0, '', 0])
      expect(shown.stdout).toContain('1200')
    })

    test('is at most 90 MB when it is compressed', () => {
      const rest = run('sh', ['-c', `tar -cf - --exclude=./usr/local/bin . | gzip -6 | wc -c`], root)
      const bytes = Number(rest) + statSync(ARCHIVE).size

      expect(Number(rest)).toBeGreaterThan(20e6)
      expect(bytes).toBeLessThanOrEqual(90e6)
      expect(Math.round(bytes / 1e6)).toBeLessThanOrEqual(listedSize('image'))
    })
  },
)
