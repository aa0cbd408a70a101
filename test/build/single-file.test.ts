import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findTarget, pinnedNode, TARGETS } from '../../build/single-file/targets.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the single-file executable contains every module that commands load', () => {
  const loaded = [...read('bin/commands.js').matchAll(/\bload\('([^']+)'\)/g)].map(([, path]) => path)
  const entries = [
    ...read('build/single-file/entry.js').matchAll(/'([^']+)': \(\) => import\('\.\.\/\.\.\/([^']+)\.ts'\)/g),
  ]

  expect(loaded.length).toBeGreaterThanOrEqual(6)
  expect(new Set(entries.map(([, name]) => name))).toEqual(new Set(loaded))
  expect(entries.map(([, , path]) => path)).toEqual(entries.map(([, name]) => name))
})

test.each(TARGETS)('the executable for $name contains the Node version of the npm scripts', (target) => {
  const lock = JSON.parse(read('package-lock.json'))

  expect(pinnedNode(target)).toBe(process.versions.node)
  expect(lock.packages[`node_modules/${target.nodePackage}`]).toMatchObject({
    version: process.versions.node,
    integrity: expect.stringMatching(/^sha512-/),
  })
})

test('findTarget() names the supported platforms when the platform is unknown', () => {
  expect(() => findTarget('freebsd-x64')).toThrow(
    'Cannot make a single file for "freebsd-x64": the possible targets are linux-x64, linux-arm64, darwin-x64, darwin-arm64, win-x64',
  )
})

test('the installation page lists an archive for each platform', () => {
  const page = read('docs/install.md')

  expect(TARGETS.filter(({ name }) => !page.includes(`\`hookbench-${name}.tar.gz\``))).toEqual([])
})
