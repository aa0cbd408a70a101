/** @module-tag bash */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ciScript, openCiJob } from '../support/ci-job.ts'

const CHECKS = ['registration/accepts-test-post', 'transport/trusted-chain']

const ROWS = [
  ['a receiver that rejects the test POST', 'refuses-test-posts', 1],
  ['a careful receiver', '', 0],
] as const

test.each(ROWS)('the CI job of the guide checks %s', async (_, defect, code) => {
  const job = await openCiJob(CHECKS, defect === '' ? '' : `--defect ${defect}`)
  onTestFinished(() => job.close())

  const outcome = await job.run(ciScript('.github/workflows/receiver.yml'))

  const read = (name: string) => readFileSync(join(job.folder, name), 'utf8')
  expect([outcome.code, outcome.printed]).toEqual([code, expect.stringContaining('passed')])
  expect(/^::error title=/m.test(outcome.printed)).toBe(code === 1)
  expect(read('step-summary.md')).toMatch(/^## /)
  expect(read('hookbench.xml')).toContain('<testcase')
  expect(read('hookbench.html')).toContain('<!doctype html>')
})
