import { claim, openDataFolder, readIdentity, writeBenchToken, writeRun } from '../adapters/data-folder.ts'
import { tightenRights } from '../adapters/data-folder-rights.ts'
import { parsePostgresUrl } from '../adapters/postgres/place.ts'
import { serveNode, type ServedNode } from '../compose/nodes/serve-node.ts'
import type { NamedWorld, ServeOptions } from '../compose/serve-options.ts'
import { VERSION } from '../engine/core/version.ts'
import { toPrintable } from '../engine/core/printable.ts'
import { dashboardUrl } from './dashboard-address.ts'
import { printWarning } from './failure.ts'
import { formatFacts } from './facts.ts'
import { warnOfLiveSecrets } from './live-secret-warnings.ts'
import type { NodeOptions } from './node-options.ts'
import { diagnoseOwn, refuseBusyPorts, reportTightened, ownPorts } from './run-sandbox.ts'
import { style } from './terminal.ts'
import { printError, printJson, printWorldEvents } from './up-lines.ts'
import type { UpOptions } from './up-options.ts'
import { passes, type StorageError } from '../engine/state/log.ts'

type NodeUpOptions = UpOptions & { readonly nodes: NodeOptions }

/** A node that has a data folder for itself. */
export interface RunningNode extends Pick<ServedNode, 'benchUrl' | 'close'> {
  readonly benchToken: string
}

interface RunOutput {
  readonly json: boolean
  /** Loads what judges the receiver that is registered. */
  readonly judge?: ServeOptions['judge']
}

/** Starts a node that prints each delivery that it makes, as text or as JSON lines. */
export async function runNode(options: NodeUpOptions, { json, judge }: RunOutput): Promise<RunningNode> {
  // If the reader of the output has gone, deliveries continue.
  process.stdout.on('error', () => {})
  const { client_secret, api_token } = options.settings.credentials
  warnOfLiveSecrets({ client_secret, api_token })
  const folder = openDataFolder(options.data)
  const release = claim(folder)
  let opened: ServedNode | undefined
  try {
    reportTightened(tightenRights(folder))
    await refuseBusyPorts(ownPorts(options))
    const { onStorage } = createStoreLines()
    opened = await serveNode({
      ...options,
      ...options.nodes,
      identity: readIdentity(folder),
      caFolder: folder.caFolder,
      dataFolder: options.data,
      ...(options.token !== undefined && { benchToken: options.token }),
      judge,
      diagnose: (place) => diagnoseOwn(place, options.data),
      ...printWorldEvents({ json, data: options.data }),
      onError: printError,
      onStorage,
      onTaken: ({ name }) => printWarning(`World "${name}" had no node: this one goes on with it`),
    })
    const { serviceUrl: service_url, benchUrl: bench_url, rootToken, close } = opened
    writeBenchToken(folder, rootToken)
    writeRun(folder, { service_url, bench_url })
    const { node } = options.nodes
    const allowed_hosts = options.listenAt?.allowedHosts
    if (json) printJson({ event: 'ready', service_url, bench_url, allowed_hosts, data: folder.path, node })
    else console.log(banner(opened, options, folder.path))
    return { benchUrl: bench_url, benchToken: rootToken, close: () => close().finally(release) }
  } catch (error) {
    await opened?.close()
    release()
    throw error
  }
}

function banner({ publicUrls, rootToken, ca }: ServedNode, options: NodeUpOptions, path: string): string {
  const isShown = options.listenAt === undefined
  const dashboard = dashboardUrl(
    { benchUrl: publicUrls.bench, benchToken: rootToken },
    isShown && process.stdout.isTTY,
  )
  const facts = [
    ['service', style('cyan', publicUrls.service)],
    [
      'bench',
      style('cyan', publicUrls.bench),
      isShown ? `token ${rootToken}` : 'with the token that you gave',
    ],
    ['dashboard', style('cyan', dashboard)],
    ['node', options.nodes.node],
    ['store', `PostgreSQL at ${toPrintable(parsePostgresUrl(options.nodes.store).shown)}`],
    ['data', path, 'certificates and token of this node'],
    ['CA', ca.certificatePath, 'deliveries of every node trust it'],
  ] as const
  return `${style('bold', `Hookbench ${VERSION}`)}\n${formatFacts(facts)}\n`
}

/** What a node prints of its store: one line for all worlds when it is away and when it is back, and one for each that it has lost. */
export function createStoreLines(print = printWarning): {
  onStorage(problem: StorageError | undefined, world: Pick<NamedWorld, 'name'>): void
} {
  const away = new Set<string>()
  return {
    onStorage(problem, { name }) {
      const wasAway = away.size > 0
      if (problem && passes(problem)) away.add(name)
      else away.delete(name)
      if (problem && !passes(problem)) print(`World "${name}" is dropped here: ${problem.message}`)
      else if (problem && !wasAway)
        print(`${problem.message}; changes are refused and nothing is sent until it is back`)
      else if (!problem && wasAway && away.size === 0)
        print('The store can be written again: changes are taken, and what is due is sent')
    },
  }
}
