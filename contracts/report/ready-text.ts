import { isConfigured, OBSERVATIONS } from '../run/observations.ts'
import type { Run } from '../run/open-run.ts'
import type { AttachedService, RunOptions } from '../toolkit/options.ts'
import { formatCount, LEVELS } from './report.ts'
import type { Paint } from './columns.ts'
import { defaultCredentials, maskText, toPrintable } from '../../sandbox/internal.ts'

interface ReadyRun extends Pick<Run, 'options' | 'serviceUrl' | 'sinkUrl'> {
  readonly count: number
}

export function readyText({ options, serviceUrl, sinkUrl, count }: ReadyRun, paint: Paint): string {
  const note = options.process === undefined ? '' : ': HOOKBENCH_SERVICE_URL of process.start'
  const rows: readonly (readonly [string, string])[] = [
    ['service', `${paint('cyan', toPrintable(serviceUrl))}  for the calls of your receiver${note}`],
    ...credentialRows(options.service),
    ...(sinkUrl === undefined
      ? []
      : [['effects', `${paint('cyan', sinkUrl)}  to which your platform posts its effects`] as const]),
    ['observed', observed(options)],
    ['seed', String(options.seed)],
  ]
  const head = `Running ${formatCount(count, 'check')} against your receiver`
  const lines = rows.map(([name, text]) => `  ${paint('dim', name.padEnd(9))} ${text}`)
  return [paint('bold', head), ...lines, ''].join('\n')
}

/** Returns the credentials of the run, but hides secrets other than the public defaults. */
function credentialRows(service: RunOptions['service']): readonly (readonly [string, string])[] {
  if (service.kind === 'attached' && !service.ownWorld) return [benchRow(service)]
  const { client_id, client_secret, email, api_token } = service.credentials
  const isFresh = service.kind === 'attached' && service.ownWorld?.isToBeTold === true
  const whose = isFresh ? '(passed to process.start)' : '(yours)'
  const shown = (secret: string, usual: string) => (secret === usual ? secret : whose)
  return [
    ...(service.kind === 'attached' ? [benchRow(service)] : []),
    [
      'client',
      `${toPrintable(client_id)} / ${shown(client_secret, defaultCredentials.client_secret)}  for POST /tokens`,
    ],
    ['user', `${toPrintable(email)} / ${shown(api_token, defaultCredentials.api_token)}  for HTTP Basic`],
  ]
}

function benchRow({ url, world, ownWorld }: AttachedService): readonly [string, string] {
  const named = world === undefined ? 'the world' : `the world "${world}"`
  return [
    'bench',
    `${toPrintable(maskText(url))}  ${named} is ${ownWorld ? 'removed' : 'restored'} at the end`,
  ]
}

function observed(options: RunOptions): string {
  const seen = LEVELS.filter((_, level) => {
    const need = OBSERVATIONS[level - 1]
    return need === undefined || isConfigured(need, options)
  })
  const missing = LEVELS.filter((name) => !seen.includes(name))
  return `${seen.join(', ')}${missing.length === 0 ? '' : `, but not ${missing.join(', ')}`}`
}
