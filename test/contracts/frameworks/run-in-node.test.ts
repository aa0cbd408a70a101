import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { runInNode } from '../../../contracts/frameworks/run-in-node.ts'
import { createSharedRun } from '../../../contracts/frameworks/shared-run.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const config = { receiver: { url: 'https://localhost/' } }

function runOf(source: string) {
  const path = join(temporaryFolder(), 'program.mjs')
  writeFileSync(path, source)
  return runInNode(
    createSharedRun(config, (id) => id),
    { config, repeat: '{id}', program: pathToFileURL(path) },
  )
}

const UNTIL_ITS_INPUT_ENDS = 'process.stdin.resume()'

test.each([
  ['ended', 'process.exit(3)', 'Cannot run the checks: the process of Node ended with code 3'],
  [
    'printed a text',
    `console.log('Hello, world'); ${UNTIL_ITS_INPUT_ENDS}`,
    'Cannot run the checks: the process of Node printed an invalid answer: "Hello, world"',
  ],
  [
    'printed other JSON',
    `console.log('null'); ${UNTIL_ITS_INPUT_ENDS}`,
    'Cannot run the checks: the process of Node printed an invalid answer: "null"',
  ],
])('each test fails at once with the reason when the Node process has %s', async (_, source, why) => {
  const run = runOf(source)

  await expect(run.open()).rejects.toThrow(why)
  await expect(run.open()).rejects.toThrow(why)
  await expect(run.conclude()).rejects.toThrow(why)
  await run.close()
})
