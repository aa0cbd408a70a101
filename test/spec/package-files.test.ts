import { expect, test } from 'vitest'
import { isSingleFile, readPackageFile } from '../../spec/package-files.ts'

test('readPackageFile() reads a file of the package by its path there', () => {
  expect(readPackageFile('spec/generated/openapi.json')).toMatch(/^\{\s+"openapi": "3/)
})

test('readPackageFile() gives nothing for a file that does not come with the program', () => {
  expect(readPackageFile('spec/generated/openapi.toml')).toBeUndefined()
})

test('readPackageFile() fails at what is no file', () => {
  expect(() => readPackageFile('spec')).toThrow('EISDIR')
})

test('a program that Node runs is no single file', () => {
  expect(isSingleFile()).toBe(false)
})
