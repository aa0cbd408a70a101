import { secretText } from '../../sandbox/internal.ts'
import { readPackageFile } from '../../spec/package-files.ts'

/** The page of docs/receivers with the starter in each language. */
const PAGES = { php: 'php', python: 'python', ruby: 'rack' } as const

export const LANGUAGES = ['node', 'php', 'python', 'ruby'] as const
export type Language = (typeof LANGUAGES)[number]

/** A receiver to start from, with its configuration. */
export interface Starter {
  /** Texts by path. The configuration comes last. */
  readonly texts: ReadonlyMap<string, string>
  /** The next steps for the receiver. */
  readonly advice: string
}

/** Placeholders for secrets in the published files. */
const PUBLISHED = ['3f9c1d2ab47e8051c6d20a94e7b1358f', 'only-this-receiver-and-the-service-know-it']

/** Returns a starter with new secrets, and its configuration for `config`. */
export function createStarter(language: Language, config: string): Starter {
  const { texts, advice } = language === 'node' ? nodeStarter(config) : pageStarter(PAGES[language])
  const secrets = PUBLISHED.map((published) => [published, secretText()] as const)
  const withSecrets = (text: string) =>
    secrets.reduce((changed, [published, own]) => changed.replaceAll(published, own), text)
  return { texts: new Map(Array.from(texts, ([path, text]) => [path, withSecrets(text)])), advice }
}

function nodeStarter(config: string): Starter {
  const [token = ''] = PUBLISHED
  const files = ['main.mjs', 'receiver.mjs', 'service.mjs', 'store.mjs'].map(
    (name) => [`receiver/${name}`, readFile(`contracts/reference-receiver/starter/${name}`)] as const,
  )
  return {
    texts: new Map([...files, [config, config.endsWith('.ts') ? starterConfig(token) : starterYaml(token)]]),
    advice: `  3. Let your platform act in act() of receiver/main.mjs, which is called once for each success.
Its addresses have a part that nobody can guess: keep both files to yourself, or name another by RECEIVER_TOKEN.`,
  }
}

/** Returns the tested code blocks that have a file name in brackets. */
function pageStarter(page: string): Starter {
  const blocks = readFile(`docs/receivers/${page}.md`).matchAll(/^```\w+ \[([^\]]+)\]\n(.*?)^```$/gms)
  return {
    texts: new Map(Array.from(blocks, ([, path = '', text = '']) => [path, text])),
    advice: `  3. Release goods where it writes "releases", in the same transaction.
What it needs, and how it works: https://hookbench.github.io/hookbench/receivers/${page}
hookbench.config.yaml has its secrets, which are new: keep it to yourself.`,
  }
}

function readFile(path: string): string {
  const text = readPackageFile(path)
  if (text === undefined) throw new Error(`Cannot write a receiver: "${path}" did not come with the program`)
  return text
}

/** The configuration for the receiver of `init --receiver`. `token` is the secret part of its URLs. */
export function starterConfig(token: string): string {
  return `import type { Config } from 'hookbench/config'

// For the receiver in receiver/. "npx hookbench init" in another folder writes a configuration with every key that there is.
export default {
  receiver: {
    url: {
      webhooks: 'https://localhost:9443/notifications/{object_type}/${token}',
      callbacks: 'https://localhost:9443/callbacks/{object_type}/${token}',
    },
    callsBack: true,
  },
  effects: { http: 'http://127.0.0.1:9444/effects/{object_type}/{id}' },
  reconcile: { http: 'http://127.0.0.1:9444/reconcile' },
  process: {
    start: '${START}',
    stop: '${STOP}',
  },
} satisfies Config
`
}

export function starterYaml(token: string): string {
  return `# yaml-language-server: $schema=node_modules/hookbench/spec/generated/config.schema.json
# For the receiver in receiver/. "npx hookbench init --yaml" in another folder writes a configuration with every key that there is.
receiver:
  url:
    webhooks: https://localhost:9443/notifications/{object_type}/${token}
    callbacks: https://localhost:9443/callbacks/{object_type}/${token}
  callsBack: true
effects:
  http: http://127.0.0.1:9444/effects/{object_type}/{id}
reconcile:
  http: http://127.0.0.1:9444/reconcile
process:
  start: '${START}'
  stop: '${STOP}'
`
}

const START = 'node receiver/main.mjs >> receiver/log.txt 2>&1 & echo $! > receiver/pid.txt'
const STOP = 'kill -9 $(cat receiver/pid.txt)'
