import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Manifest {
  readonly engines: { readonly node: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}
interface LockedPackage {
  readonly dev?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly link?: boolean
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))

const manifest = read('package.json') as Manifest
const bundled = read('build/bundled/package.json') as Required<Manifest>
const { packages } = read('package-lock.json') as {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
const fetched = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

test('the package has no dependencies and only optional peer dependencies', () => {
  const peers = Object.keys(manifest.peerDependencies)

  expect(manifest.dependencies).toBeUndefined()
  expect(peers.filter((name) => manifest.peerDependenciesMeta[name]?.optional !== true)).toEqual([])
})

test('bundled packages have exact versions, and the tests use the same versions', () => {
  const versions = Object.values(bundled.dependencies).map((version) => version.replace(/^npm:.*@/, ''))

  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  expect(versions.length).toBeLessThanOrEqual(13)
  expect(manifest.devDependencies).toMatchObject(bundled.dependencies)
})

test('every installed package has a locked SHA-512 hash', () => {
  expect(
    fetched.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path),
  ).toEqual([])
})

test('no installed package except development packages runs an install script', () => {
  const running = fetched.filter(([, { hasInstallScript = false, dev = false }]) => hasInstallScript && !dev)

  expect(running.map(([path]) => path)).toEqual([])
})
