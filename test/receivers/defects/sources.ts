import { answeringWith, readingAs, type Defect } from './defect.ts'

/** The source addresses of pre-live callbacks. Source: §5 */
const CALLBACK_SENDERS = ['13.236.213.54', '13.237.52.66', '13.237.231.88', '54.183.18.207', '54.183.142.227']

export const sourceDefects: readonly Defect[] = [
  {
    name: 'takes-from-anybody',
    about: 'It does not check the source address of a delivery.',
    check: 'trust/unlisted-source',
    options: { allowed: undefined },
  },
  {
    name: 'takes-from-a-whole-network',
    about: 'It accepts addresses next to an address of the service.',
    check: 'trust/unlisted-source',
    parts: () =>
      readingAs((request) => {
        const network = (address: string | undefined) => address?.split('.').slice(1, 3).join('.')
        const neighbour = CALLBACK_SENDERS.find((address) => network(address) === network(request.from))
        return { ...request, from: neighbour?.replace(/^\d+/, '127') ?? request.from }
      }),
  },
  {
    name: 'forgets-an-address-of-callbacks',
    about: 'It lacks some source addresses of callbacks.',
    check: 'trust/unlisted-source',
    parts: () =>
      answeringWith(
        403,
        ({ path, from = '' }) => path.startsWith('/callbacks/') && from.endsWith('.237.52.66'),
      ),
  },
  {
    name: 'believes-a-forwarded-address',
    about: 'It trusts the first address in X-Forwarded-For.',
    check: 'trust/forwarded-source',
    parts: () => believingHeader('x-forwarded-for'),
  },
  {
    name: 'believes-another-proxy',
    about: 'It trusts the address in True-Client-IP, which its proxy does not set.',
    check: 'trust/forwarded-source',
    parts: () => believingHeader('true-client-ip'),
  },
]

/** Returns receiver components that read the sender's address from the header `name`. */
function believingHeader(name: string) {
  return readingAs((request) => {
    const [first] = request.headers[name]?.toString().split(',') ?? []
    return { ...request, from: first?.trim() ?? request.from }
  })
}
