import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERSION } from '../../../sandbox/engine/core/version.ts'
import { ADDRESSES, readComposition, type Composition } from '../../support/compose.ts'
import { openContainerHost, type ContainerHost } from '../../support/containers.ts'
import { buildImage, DOCKERFILE, type Image } from '../../support/image.ts'
import { IS_SINGLE_FILE, ROOT } from '../../support/installed-package.ts'
import { readPageCode } from '../../support/page-code.ts'

const LINES = readPageCode(join(ROOT, 'docs/guides/containers.md'))
  .filter(({ language, notRun }) => language === 'sh' && notRun === undefined)
  .flatMap(({ text }) => text.trim().split('\n'))

describe.runIf(IS_SINGLE_FILE)(
  'the page about containers',
  { tags: IS_SINGLE_FILE ? 'machine-root' : [] },
  () => {
    let folder: string
    let root: string
    const variables: Record<string, string> = {}
    let workingFolder = ROOT
    let host: ContainerHost
    let image: Image | undefined
    let composition: Composition | undefined

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hookbench-containers-'))
      root = join(folder, 'image')
      mkdirSync(root)
      host = await openContainerHost(Object.values(ADDRESSES))
    })
    afterAll(async () => {
      await host.close()
      rmSync(folder, { recursive: true })
    })

    /** Does what a line of the page says, and gives what it prints. Throws at what it does not know. */
    async function carryOut(line: string): Promise<string> {
      const [, name] = /^export (\w+)=\$\(openssl rand -hex 32\)$/.exec(line) ?? []
      if (name !== undefined) variables[name] = randomBytes(32).toString('hex')
      else if (line.startsWith('cd ')) workingFolder = join(workingFolder, line.slice('cd '.length))
      // It was run before the tests.
      else if (line !== 'npm run bundle') return docker(line.split(' '))
      return ''
    }

    async function docker([program, command, ...words]: readonly string[]): Promise<string> {
      if (program !== 'docker') throw new Error(`Cannot carry out "${program}"`)
      switch (`${command} ${command === 'compose' ? words[0] : ''}`.trim()) {
        case 'build': {
          const [, file = '', ...rest] = words
          expect([resolve(workingFolder, file), rest]).toEqual([DOCKERFILE, ['--tag', 'hookbench', '.']])
          image = await buildImage(host, root)
          return ''
        }
        case 'run':
          expect(words.slice(0, 2)).toEqual(['--rm', 'hookbench'])
          return printed(host.run(built().container, ...built().entrypoint, ...words.slice(2)))
        case 'compose up':
          composition = readComposition(join(workingFolder, 'compose.yaml'), { host, image: built(), folder })
          await composition.up(variables)
          return ''
        case 'compose exec':
          return printed(composed().exec(words[1] ?? '', words.slice(2)))
        case 'compose logs':
          return composed()
            .logs(words[1] ?? '')
            .line(/^listening$/)
        case 'compose down':
          await host.close()
          return ''
        default:
          throw new Error(`Cannot carry out "docker ${command} ${words.join(' ')}"`)
      }
    }

    const built = () => image ?? fail('nothing is built')
    const composed = () => composition ?? fail('nothing is up')

    test('does what it says, from the image to the end', async () => {
      const outputs = new Map<string, string>()
      for (const line of LINES) outputs.set(line, await carryOut(line))
      const output = (words: string) =>
        [...outputs].find(([line]) => line.includes(words))?.[1] ?? fail(`no line has "${words}"`)

      expect(output('--version').trim()).toBe(VERSION)
      expect(output('hookbench register')).toContain('for items as webhook')
      expect(output('hookbench jobs').match(/\bsuccess\b/g)).toHaveLength(4)
      expect(output('hookbench check')).toContain('0 failed')
      expect(
        await composed()
          .logs('receiver')
          .line(/"state":"completed"/),
      ).toContain('/notifications/items/')
    })
  },
)

function fail(message: string): never {
  throw new Error(message)
}

async function printed(
  ending: Promise<{ code: number | null; stdout: string; stderr: string }>,
): Promise<string> {
  const { code, stdout, stderr } = await ending
  if (code !== 0) throw new Error(`It ended with ${code}: ${stdout}${stderr}`)
  return stdout
}
