import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { yamlConfig } from '../../contracts/config/template.ts'
import { ciFiles } from '../support/ci-job.ts'

// Asks the language servers of an editor, which are in the folder that is named, what they know of a configuration.

const [tools = ''] = process.argv.slice(2)
const SCHEMA = 'spec/generated/config.schema.json'

/** A checkout of somebody who has the package installed. */
const folder = mkdtempSync(join(tmpdir(), 'hookbench-editor-'))
const installed = join(folder, 'node_modules/hookbench', SCHEMA)
mkdirSync(dirname(installed), { recursive: true })
cpSync(new URL(`../../${SCHEMA}`, import.meta.url), installed)

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
}

/** A server that speaks the language server protocol over its standard streams. */
function startServer(program: string) {
  const child = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: {
    readonly fits: (message: Message) => boolean
    readonly resolve: (message: Message) => void
  }[] = []
  let buffered = Buffer.alloc(0)
  const write = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  function take(message: Message): void {
    // It asks for settings: everything is as it is by default.
    if (message.id !== undefined && message.method !== undefined)
      write({ id: message.id, result: [{}, {}, {}, {}, {}] })
    for (const { fits, resolve } of waiting) if (fits(message)) resolve(message)
  }
  child.stdout.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk])
    for (;;) {
      const end = buffered.indexOf('\r\n\r\n')
      const length = Number(
        /Content-Length: (\d+)/i.exec(buffered.toString('latin1', 0, Math.max(end, 0)))?.[1],
      )
      if (end < 0 || buffered.length < end + 4 + length) return
      take(JSON.parse(buffered.toString('utf8', end + 4, end + 4 + length)))
      buffered = buffered.subarray(end + 4 + length)
    }
  })
  const hear = (fits: (message: Message) => boolean) =>
    new Promise<Message>((resolve) => waiting.push({ fits, resolve }))
  let last = 0
  return {
    notify: (method: string, params: object) => write({ method, params }),
    hear,
    async ask(method: string, params: object): Promise<unknown> {
      const id = ++last
      const answered = hear((message) => message.id === id && message.method === undefined)
      write({ id, method, params })
      return (await answered).result
    },
    end: () => child.kill('SIGKILL'),
  }
}

/** What an editor marks in a configuration, and which keys it offers at its end. */
async function openInEditor(name: string, text: string) {
  const server = startServer(join(tools, 'node_modules/yaml-language-server/bin/yaml-language-server'))
  try {
    await server.ask('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: { textDocument: { completion: {} } },
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'platform' }],
    })
    server.notify('initialized', {})
    const uri = pathToFileURL(join(folder, name)).href
    const marked = server.hear(
      ({ method, params }) => method === 'textDocument/publishDiagnostics' && Object(params).uri === uri,
    )
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } })
    const { diagnostics } = Object((await marked).params)
    const position = { line: text.split('\n').length - 1, character: 0 }
    const offered = Object(await server.ask('textDocument/completion', { textDocument: { uri }, position }))
    return {
      marked: diagnostics.map(({ message }: { readonly message: string }) => message).join(),
      offered: (offered.items ?? offered).map(({ label }: { readonly label: string }) => label),
    }
  } finally {
    server.end()
  }
}
/** Throws unless what is right is left alone, what is wrong is marked, and the keys that are missing are offered. */
async function expectHelp(name: string, text: string, wrong: string): Promise<void> {
  const right = await openInEditor(name, text)
  const mistaken = await openInEditor(name, wrong)
  const isHelp = right.marked === '' && mistaken.marked === 'Property benchport is not allowed.'
  if (!isHelp || (name.endsWith('.yaml') && !right.offered.includes('allowTargets')))
    throw new Error(`${name}: ${JSON.stringify([right, mistaken.marked])}`)
}

const json = ciFiles('hookbench.config.json')[0].text
try {
  await expectHelp('hookbench.config.yaml', yamlConfig, `${yamlConfig}benchport: 1\n`)
  await expectHelp('hookbench.config.json', json, json.replace('"port"', '"benchport"'))
} finally {
  rmSync(folder, { recursive: true })
}
