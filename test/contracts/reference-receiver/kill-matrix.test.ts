import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { format } from 'prettier'
import { catalogue } from '../../../contracts/catalogue.ts'
import { DEFECTS } from '../../receivers/defects.ts'
import { killMatrixPage } from '../../support/kill-matrix.ts'

test('every check has a defective test receiver, and every defect belongs to a check', () => {
  const checks = new Set(DEFECTS.map(({ check }) => check))

  expect(checks).toEqual(new Set(catalogue.map(({ id }) => id)))
})

test('the names of the receiver defects are unique', () => {
  expect(new Set(DEFECTS.map(({ name }) => name)).size).toBe(DEFECTS.length)
})

test('the kill-matrix page matches the receiver defects', async () => {
  const page = readFileSync(
    new URL('../../../contracts/reference-receiver/kill-matrix.md', import.meta.url),
    'utf8',
  )

  expect(page).toBe(await format(killMatrixPage(), { parser: 'markdown', printWidth: 110 }))
})
