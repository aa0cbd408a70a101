import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EVERY_ENTRY, OWN_ENTRIES } from './every-entry.ts'
import { install, type Place, run, type Trial } from './place.ts'

const COMPILERS = ['5.4.5', '5.9.3', '6.0.3', '7.0.2']

/** Package versions that work with the oldest supported TypeScript compiler and Node 22. */
const BESIDE = ['@types/node@22.20.5', 'fast-check@4.10.2', 'msw@3.0.5', 'vitest@5.1.0']

const alias = (version: string) => `typescript-${version}`

interface Resolution {
  readonly name: string
  readonly ending: 'cts' | 'mts' | 'ts'
  readonly options: Readonly<Record<string, unknown>>
  /** The newest major version of TypeScript to test. Defaults to no limit. */
  readonly until?: number
}

const RESOLUTIONS: readonly Resolution[] = [
  { name: 'a module under nodenext', ending: 'mts', options: { module: 'nodenext' } },
  { name: 'CommonJS under nodenext', ending: 'cts', options: { module: 'nodenext' } },
  { name: 'CommonJS under node16', ending: 'cts', options: { module: 'node16' } },
  { name: 'a bundler', ending: 'ts', options: { module: 'esnext', moduleResolution: 'bundler' } },
  {
    name: 'CommonJS as of old',
    ending: 'ts',
    options: { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true },
    until: 6,
  },
]

/** The strictest options, an old target, and no browser types. */
const STRICT = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  target: 'es2022',
  lib: ['es2022'],
  types: ['node'],
}

export function compilerTrials(): Trial[] {
  return COMPILERS.flatMap((version) => {
    const major = Number.parseInt(version)
    const known = RESOLUTIONS.filter(({ until = major }) => major <= until)
    return [
      ...known.flatMap((resolution) => entryTrials(version, resolution)),
      ...known
        .filter(({ ending }) => ending === 'ts')
        .map((resolution) => generatedTrial(version, resolution)),
      initTrial(version),
    ]
  })
}

function entryTrials(version: string, resolution: Resolution): Trial[] {
  const name = `TypeScript ${version} reads the types of`
  const { ending } = resolution
  return [
    {
      name: `${name} every entry, for ${resolution.name}`,
      run: (place) =>
        compile(place, { version, resolution, file: `every.${ending}`, options: { skipLibCheck: true } }),
    },
    {
      name: `${name} the package, and finds them right to the last file, for ${resolution.name}`,
      run: (place) => compile(place, { version, resolution, file: `own.${ending}`, options: {} }),
    },
  ]
}

function generatedTrial(version: string, resolution: Resolution): Trial {
  return {
    name: `TypeScript ${version} compiles what is generated, for ${resolution.name}`,
    run: (place) =>
      compile(place, { version, resolution, file: 'generated/index.ts', options: { types: [] } }),
  }
}

/**
 * Creates a trial that compiles with the configuration that `tsc --init` writes. Before TypeScript 5.9, the default target is
 * ES2016. TypeScript 5.9 and later load no Node types by default.
 */
function initTrial(version: string): Trial {
  return {
    name: `TypeScript ${version} compiles what is generated, as tsc --init proposes`,
    async run(place) {
      const around = await platform(place)
      const cwd = join(around, `init-${version}`)
      const compiler = join(around, 'node_modules', alias(version), 'bin/tsc')
      mkdirSync(cwd)
      // Newer compilers enable verbatimModuleSyntax, which rejects `import` in CommonJS. Therefore, the package is an ES module.
      writeFileSync(join(cwd, 'package.json'), JSON.stringify({ type: 'module' }))
      cpSync(join(around, 'generated'), join(cwd, 'generated'), { recursive: true })
      await run(process.execPath, [compiler, '--init'], { cwd })
      await run(process.execPath, [compiler, '--noEmit', '-p', cwd], { cwd })
    },
  }
}

interface Compilation {
  readonly version: string
  readonly resolution: Resolution
  readonly file: string
  readonly options: Readonly<Record<string, unknown>>
}

async function compile(place: Place, { version, resolution, file, options }: Compilation): Promise<void> {
  const cwd = await platform(place)
  const compiler = join(cwd, 'node_modules', alias(version), 'bin/tsc')
  const silence =
    resolution.until !== undefined && version.startsWith('6.') ? { ignoreDeprecations: '6.0' } : {}
  const compilerOptions = { ...STRICT, ...resolution.options, ...silence, ...options }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  await run(process.execPath, [compiler, '-p', cwd], { cwd })
}

const platforms = new WeakMap<Place, Promise<string>>()

function platform(place: Place): Promise<string> {
  const made = platforms.get(place) ?? makePlatform(place)
  platforms.set(place, made)
  return made
}

async function makePlatform(place: Place): Promise<string> {
  const cwd = place.makeFolder('compilers')
  const compilers = COMPILERS.map((version) => `${alias(version)}@npm:typescript@${version}`)
  await install([place.tarball, ...BESIDE, ...compilers], { cwd })
  for (const ending of ['cts', 'mts', 'ts']) {
    writeFileSync(join(cwd, `every.${ending}`), EVERY_ENTRY)
    writeFileSync(join(cwd, `own.${ending}`), OWN_ENTRIES)
  }
  await run('npx', ['--no-install', 'hookbench', 'generate', '--out', 'generated'], { cwd })
  return cwd
}
