import { isRecord, readField } from '../../../contracts/reference-receiver/starter/service.mjs'
import { interpreting, type Defect } from './defect.ts'

export const registrationDefects: readonly Defect[] = [
  {
    name: 'refuses-test-posts',
    about: 'It rejects the test POST.',
    check: 'registration/accepts-test-post',
    parts: () => interpreting((meaning) => (meaning.kind === 'test' ? { kind: 'foreign' } : meaning)),
  },
  {
    name: 'matches-the-test-text',
    about: 'It recognizes the test POST by one exact text.',
    check: 'registration/any-test-text',
    parts: () =>
      interpreting((meaning, body) => {
        const text = isRecord(body) ? readField(body, 'message') : undefined
        const isSeen = meaning.kind !== 'test' || text === 'Payments service notification test'
        return isSeen ? meaning : { kind: 'foreign' }
      }),
  },
  {
    name: 'looks-after-test-posts',
    about: 'It processes the test POST as a notification.',
    check: 'registration/test-post-without-effect',
    parts: () =>
      interpreting((meaning) => (meaning.kind === 'test' ? { kind: 'notification', id: 'test' } : meaning)),
  },
  {
    name: 'address-with-a-fragment',
    about: 'Its URL has a fragment.',
    check: 'registration/url-form',
    parts: () => ({ address: (template) => `${template}#receiver` }),
  },
  {
    name: 'address-to-guess',
    about: 'Its URL is guessable.',
    check: 'registration/unguessable-url',
    options: { token: 'hook' },
  },
]
