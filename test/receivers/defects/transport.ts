import type { Defect } from './defect.ts'

export const transportDefects: readonly Defect[] = [
  {
    name: 'untrusted-authority',
    about: 'Its certificate comes from an unknown authority.',
    check: 'transport/trusted-chain',
    certificate: 'untrusted',
  },
  {
    name: 'self-signed',
    about: 'Its certificate is signed with its own key.',
    check: 'transport/not-self-signed',
    alsoFails: { transport: 'trusted-chain' },
    certificate: 'self-signed',
  },
  {
    name: 'certificate-for-another-name',
    about: 'Its certificate is for another host.',
    check: 'transport/name-and-validity',
    certificate: 'for-another-name',
  },
  {
    name: 'certificate-expires-soon',
    about: 'Its certificate expires within days.',
    check: 'transport/expires-soon',
    certificate: 'expires-soon',
  },
  {
    name: 'without-intermediate',
    about: 'It sends its certificate without the intermediate certificate.',
    check: 'transport/sends-intermediates',
    alsoFails: { transport: 'trusted-chain' },
    certificate: 'without-intermediate',
  },
]
