import { SANDBOX_EXIT_CODES, type Manuals } from './manual.ts'

const EXIT_CODES = { ...SANDBOX_EXIT_CODES, 1: 'the service refused' }

export const RECEIVER_MANUALS: Manuals = {
  register: {
    about: [
      'Its certificate must come from a known CA (a public one, receiver.ca or the local CA) with the whole chain, be valid now, for this host and for servers, name the host as a subject alternative name, and have no RSA key of less than 2048 bits; TLS 1.2 or 1.3. Whether it was revoked is not looked up, neither by OCSP nor in lists (CRL).',
      'Of several types the first that is refused is the last: what came before it stays, and changes nothing next time.',
      'The service is called with the credentials of the world, unless others are given; a client of another world than --world names is refused.',
    ],
    examples: [
      ['register https://localhost:9443/hooks --type items --type transactions', 'for two types'],
      ["register 'https://localhost:9443/hooks/{object_type}'", 'for every type'],
      ['register https://localhost:9443/hooks --type items --replace', 'in place of the one that is there'],
    ],
    exitCodes: {
      ...EXIT_CODES,
      1: 'the service refused, as where the receiver does not answer the test POST',
    },
    seeAlso: ['cert', 'registrations', 'doctor', 'check'],
  },
  registrations: {
    examples: [
      ['registrations', ''],
      ['registrations --json', 'with when each was made, for a script'],
    ],
    seeAlso: ['register', 'enable', 'disable', 'unregister'],
  },
  enable: {
    examples: [
      ['enable REGISTRATION', 'its id, or the beginning of it'],
      ['enable REGISTRATION --json', 'the registration as the service shows it'],
    ],
    exitCodes: EXIT_CODES,
    seeAlso: ['disable', 'registrations'],
  },
  disable: {
    examples: [
      ['disable REGISTRATION', 'its id, or the beginning of it'],
      ['disable REGISTRATION --json', 'the registration as the service shows it'],
    ],
    exitCodes: EXIT_CODES,
    seeAlso: ['enable', 'unregister'],
  },
  unregister: {
    examples: [
      ['unregister REGISTRATION', 'its id, or the beginning of it'],
      ['unregister REGISTRATION --json', 'what it was'],
    ],
    exitCodes: EXIT_CODES,
    seeAlso: ['disable', 'register'],
  },
}
