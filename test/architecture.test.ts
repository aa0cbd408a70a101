import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  codeOf,
  folderCycles,
  importsAgainstOrder,
  importsOf,
  looseFiles,
  readSourceTree,
  type SourceTree,
} from './support/rooms.ts'

export interface Rule {
  readonly name: string
  /** The text to search: each import, the code without comments and strings, or the complete file. */
  readonly what: 'imports' | 'code' | 'text'
  readonly forbidden: RegExp
  /** The files to search. Defaults to all files. */
  readonly files?: RegExp
  readonly except?: RegExp
}

const FOLDERS = ['bin', 'spec', 'generators', 'sandbox', 'contracts']

const ARROWS: readonly Rule[] = [
  {
    name: 'the folder spec imports no other folder of this repository',
    files: /^spec\//,
    forbidden: /^\/(?!spec\/)/,
  },
  {
    name: 'the folder generators imports only spec',
    files: /^generators\//,
    forbidden: /^\/(?!generators\/|spec\/)/,
  },
  { name: 'the folder sandbox imports only spec', files: /^sandbox\//, forbidden: /^\/(?!sandbox\/|spec\/)/ },
  {
    name: 'the folder contracts imports only spec and the entry points of sandbox',
    files: /^contracts\//,
    forbidden: /^\/(?!contracts\/|spec\/|sandbox\/(index|internal)\.ts$)/,
  },
  {
    name: 'checks import no receiver',
    files: /^contracts\/(?!reference-receiver\/)/,
    forbidden: /^\/contracts\/reference-receiver\//,
  },
  {
    name: 'the folder bin loads only the entry points of programs',
    files: /^bin\//,
    forbidden:
      /^\/(?!bin\/|\w+\/cli\/(program|[\w-]+-command)$|generators\/main$|contracts\/judge\/bench-judge$)/,
  },
].map((rule) => ({ ...rule, what: 'imports' }) as const)

/** The modules that may access time, the network and files. Receivers are included, because they are separate programs. */
const ADAPTERS =
  /\/adapters\/|^sandbox\/client\/|^contracts\/probes\/|^contracts\/frameworks\/|^contracts\/reference-receiver\//

/** Only a few modules may access time, the network and files. */
const CONFINED: readonly Rule[] = [
  {
    name: 'only adapters read the time',
    what: 'code',
    forbidden: /\bDate\.now\b|\bnew Date\(\s*\)|\bset(Timeout|Interval|Immediate)\b|\bperformance\.now\b/,
    except: ADAPTERS,
  },
  {
    name: 'only adapters generate random values',
    what: 'code',
    forbidden: /\bMath\.random\b|\brandom(UUID|Bytes)\b/,
    except: ADAPTERS,
  },
  {
    name: 'only adapters call the network',
    what: 'code',
    forbidden: /(?<![\w.])fetch\(|\bglobalThis\.fetch\b/,
    // In msw.ts, which is excluded, `fetch` calls the sandbox instead of the network.
    except:
      /\/adapters\/|^sandbox\/client\/|^contracts\/probes\/|^contracts\/frameworks\/|^contracts\/reference-receiver\/|^sandbox\/in-process\/msw\.ts$/,
  },
  {
    name: 'only adapters import modules for sockets and servers',
    what: 'imports',
    forbidden: /^(node:)?(https?|http2|net|tls|dns|dgram)(\/|$)/,
    except: ADAPTERS,
  },
  {
    name: 'only programs access the process object',
    what: 'code',
    forbidden: /(?<![\w.-])process\b(?=[.[])/,
    except:
      /^bin\/|\/cli\/|^(generators|contracts\/reference-receiver)\/main\.ts$|^sandbox\/adapters\/data-folder\.ts$|^contracts\/(probes\/processes|config\/config-context)\.ts$|^contracts\/reference-receiver\/starter\//,
  },
  {
    name: 'the data folder reads only the ID of the process',
    what: 'code',
    files: /^sandbox\/adapters\/data-folder\.ts$/,
    forbidden: /(?<![\w.])process\b(?!\.pid\b)/,
  },
  {
    name: 'the module for commands uses only the environment, the platform and kill() of the process',
    what: 'code',
    files: /^contracts\/probes\/processes\.ts$/,
    forbidden: /(?<![\w.])process\b(?!\.(env|kill|platform)\b)/,
  },
  {
    name: 'only the store queries and the standby contain SQL',
    what: 'text',
    files: /^sandbox\//,
    forbidden: /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER) /,
    except: /^sandbox\/(engine\/state\/queries|adapters\/standby)\//,
  },
  {
    name: 'only adapters, programs and parts of the spec access the disk',
    what: 'imports',
    forbidden: /^(node:)?fs(\/|$)/,
    except:
      /\/adapters\/|\/cli\/|^bin\/|^generators\/main\.ts$|^contracts\/(config\/config-context|probes\/(counterexamples|failed-checks)|reference-receiver\/options)\.ts$|^contracts\/reference-receiver\/starter\/|^spec\/(document|package-files)\.ts$/,
  },
]

const PACKAGES: readonly Rule[] = (
  [
    ['@mswjs/data', /^sandbox\/in-process\/data\.ts$/],
    ['@peculiar/x509', /^sandbox\/adapters\/certificates\.ts$/],
    // Tests compare this project's validators with ajv.
    ['ajv', /^test\//],
    ['commander', /\/cli\//],
    ['eventsource-parser', /^sandbox\/client\/event-stream\.ts$/],
    ['ipaddr.js', /^sandbox\/engine\/delivery\/egress\.ts$/],
    ['jose', /^sandbox\/api\/http\/access-tokens\.ts$/],
    ['msw', /^sandbox\/in-process\/msw\.ts$/],
    ['json-schema-to-typescript', /^generators\/files\/types\.ts$/],
    ['openapi3-ts', /^generators\/|^spec\/document\.ts$/],
    ['pg', /^sandbox\/adapters\/standby\/postgres\.ts$/],
    ['preact', /^sandbox\/dashboard\//],
    ['@preact/signals', /^sandbox\/dashboard\//],
    ['undici', /^sandbox\/(adapters\/transport|client)\//],
    ['vitest', /^contracts\/frameworks\/vitest\.ts$/],
  ] as const
).map(([name, except]) => ({
  name: `${name} is named in one place`,
  what: 'imports',
  forbidden: new RegExp(`^${name.replaceAll('.', String.raw`\.`)}(/|$)`),
  except,
}))

const FORM: readonly Rule[] = [
  {
    name: 'errors are recognized with isError(), even errors from another realm',
    what: 'code',
    forbidden: /\binstanceof (Aggregate)?Error\b/,
    except: /^spec\/errors\.ts$|^sandbox\/dashboard\/|^contracts\/reference-receiver\//,
  },
]

const RULES: readonly Rule[] = [...ARROWS, ...CONFINED, ...PACKAGES, ...FORM]

interface Violation {
  readonly path: string
  readonly rule: string
  readonly found: string
}

function violations(tree: SourceTree): Violation[] {
  return [...tree].flatMap(([path, text]) => {
    const searched = { imports: importsOf(path, text), code: [codeOf(path, text)], text: [text] }
    return RULES.filter(
      (rule) => rule.files?.test(path) !== false && rule.except?.test(path) !== true,
    ).flatMap(({ name, what, forbidden }) =>
      searched[what].flatMap((part) => {
        const found = forbidden.exec(part)?.[0]
        if (found === undefined) return []
        return [{ path, rule: name, found: what === 'imports' ? part : found.slice(-60) }]
      }),
    )
  })
}

const sources = readSourceTree(FOLDERS)

const present = violations(sources)

test.each(RULES)('$name', ({ name }) => {
  expect(present.filter(({ rule }) => rule === name)).toEqual([])
})

test('the GitHub action installs every module that it loads, but no test or build tools', () => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  const { dependencies } = read('build/bundled/package.json')
  const { peerDependencies } = read('package.json')
  const installed = Object.keys({ ...dependencies, ...peerDependencies, hookbench: '' })
  // The dashboard is bundled for the browser, so it is excluded.
  const loaded = [...sources].flatMap(([path, text]) =>
    path.startsWith('sandbox/dashboard/')
      ? []
      : [
          ...text.matchAll(
            /^(?:import|export) (?!type )[^;'`]*?from '(?!node:)((?:@[^/']+\/)?[^./'][^/']*)/gm,
          ),
        ].map(([, name = '']) => ({ path, name })),
  )

  expect(loaded.length).toBeGreaterThan(20)
  expect(loaded.filter(({ name }) => !installed.includes(name))).toEqual([])
})

test('every source file belongs to an architecture layer', () => {
  expect(looseFiles(sources)).toEqual([])
})

test('no architecture layer imports a later layer', () => {
  expect(importsAgainstOrder(sources)).toEqual([])
})

test('folders do not import each other in a cycle', () => {
  expect(folderCycles(sources)).toEqual([])
})
