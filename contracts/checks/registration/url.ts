import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { PASSED, failed, notObservable, type Finding } from '../../finding.ts'
import { isPredictable } from '../../../sandbox/internal.ts'

export const urlForm: ReceiverCheck = {
  id: 'registration/url-form',
  severity: 'must',
  probes: 'address',
  requirement:
    'Each URL of the receiver is absolute, uses https, and has neither user information nor a fragment.',
  lines: [24, 274, 342],
  meaning:
    'The service does not register the URL, so nothing arrives. Over plain http, anyone on the network can read and change notifications.',
  remedy: 'Register https://<host>/<path>. Do not put credentials before an @. A fragment is never sent.',
  run: (context) =>
    checkEachUrl(context, 'absolute https URLs without user information and fragment', (url) =>
      describeFault(url),
    ),
}

function describeFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not an absolute URL'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:') return `is ${protocol.slice(0, -1)}, not https`
  if (username !== '' || password !== '') return 'has user information before its host'
  return text.includes('#') ? 'has a fragment' : undefined
}

export const unguessableUrl: ReceiverCheck = {
  id: 'registration/unguessable-url',
  severity: 'should',
  probes: 'address',
  requirement:
    'The path of each URL has a segment that is impossible to guess, with at least 32 random hex or 22 random base64url characters.',
  lines: [282],
  meaning:
    'Only the URL distinguishes the service from a stranger. Anyone who guesses the URL can claim that a payment has succeeded.',
  remedy:
    'Put 128 random bits into the path, for example the output of "openssl rand -hex 16". Answer 404 without them.',
  run: (context) =>
    checkEachUrl(
      context,
      'a path segment of at least 32 random hex or 22 random base64url characters',
      (url) =>
        URL.canParse(url) && pathSegments(url).some(isUnguessable)
          ? undefined
          : 'has no segment of this kind',
    ),
}

function pathSegments(url: string): readonly string[] {
  return new URL(url).pathname.split('/')
}

function isUnguessable(segment: string): boolean {
  if (isPredictable(segment)) return false
  if (/^[0-9a-f]{32,}$/i.test(segment.replaceAll('-', ''))) return true
  // Lower-case words are names.
  return /^[\w-]{22,}$/.test(segment) && /[0-9A-Z]/.test(segment)
}

/** Messages omit the URLs, which are secret. */
async function checkEachUrl(
  { receiver }: CheckContext,
  expected: string,
  findFault: (url: string) => string | undefined,
): Promise<Finding> {
  const places = (['webhooks', 'callbacks'] as const).flatMap((generation) =>
    receiver
      .types(generation)
      .map((type) => ({ name: `${generation} of ${type}`, url: receiver.url(type, generation) })),
  )
  if (places.length === 0) return notObservable('the receiver has no URL')
  const faults = places.flatMap(({ name, url }) => {
    const fault = findFault(url)
    return fault === undefined ? [] : [`the URL for ${name} ${fault}`]
  })
  const [first] = faults
  if (first === undefined) return PASSED
  return failed(
    expected,
    faults.length === 1 ? first : `${first}, and ${faults.length - 1} more of ${places.length} do not fit`,
    {},
  )
}
