import { testMessage } from '../../../spec/notifications.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { goldenMessage, oneExamplePerType } from '../../toolkit/golden-message.ts'
import { PASSED, failed, notObservable, type Finding } from '../../finding.ts'
import { describeExchange, isAccepted, requireAccepted } from '../../toolkit/expectations.ts'

export const noBrowserNeeded: ReceiverCheck = {
  id: 'http/no-browser-needed',
  severity: 'must',
  requirement: 'The receiver accepts a POST without a cookie, an Origin, a Referer or a form token.',
  lines: [14, 294],
  readings: ['delivery-success', 'delivery-headers'],
  meaning:
    'CSRF protection treats the service like a foreign site. It rejects every notification, although each page of the platform works.',
  remedy: 'Exempt the route of the receiver from CSRF protection and from the login.',
  run: checkWithoutBrowser,
}

/** How guards of forms and of log-ins answer; 419 is theirs alone. */
const GUARDS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 401, 403, 419])

async function checkWithoutBrowser(context: CheckContext): Promise<Finding> {
  const [example] = oneExamplePerType(context.receiver.types())
  if (!example) return notObservable('the receiver has no URL')
  const url = context.receiver.url(example.type)
  const test = JSON.stringify(testMessage(context.profile.readings['test-text']))
  const bodies = [
    { label: 'the test POST', makeBody: async () => test },
    { label: example.name, makeBody: async () => (await goldenMessage(context, example)).body },
  ]
  for (const { label, makeBody } of bodies) {
    const bare = await context.post({ url, body: await makeBody(), label: `${label}, without a browser` })
    if (isAccepted(bare)) continue
    const expected = 'the same answer as a browser gets: 2xx'
    if (bare.status !== null && GUARDS.has(bare.status))
      return failed(expected, describeExchange(bare), { exchanges: [bare] })
    const headers = browserHeaders(url)
    const browsed = await context.post({
      url,
      body: await makeBody(),
      label: 'the same as a browser',
      headers,
    })
    if (isAccepted(browsed))
      return failed(expected, `${describeExchange(bare)}, and ${describeExchange(browsed)}`, {
        exchanges: [bare, browsed],
      })
    return requireAccepted(bare) ?? PASSED
  }
  return PASSED
}

function browserHeaders(url: string): Readonly<Record<string, string>> {
  const { origin } = new URL(url)
  return { origin, referer: `${origin}/`, cookie: 'session=1', 'sec-fetch-site': 'same-origin' }
}
