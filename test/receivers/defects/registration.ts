import { policy as carefulPolicy } from '../../../contracts/reference-receiver/starter/receiver.mjs'
import { isRecord, readField } from '../../../contracts/reference-receiver/starter/service.mjs'
import { withPolicy, type Defect } from './defect.ts'

export const registrationDefects: readonly Defect[] = [
  {
    name: 'refuses-test-posts',
    about: 'It takes notifications and nothing else.',
    check: 'registration/accepts-test-post',
    parts: () =>
      withPolicy({
        interpretBody(body, route) {
          const meaning = carefulPolicy.interpretBody(body, route)
          return meaning.kind === 'test' ? { kind: 'foreign' } : meaning
        },
      }),
  },
  {
    name: 'matches-the-test-text',
    about: 'It knows the test POST by the text that it was seen with.',
    check: 'registration/any-test-text',
    parts: () =>
      withPolicy({
        interpretBody(body, route) {
          const meaning = carefulPolicy.interpretBody(body, route)
          const text = isRecord(body) ? readField(body, 'message') : undefined
          const isSeen = meaning.kind !== 'test' || text === 'Payments service notification test'
          return isSeen ? meaning : { kind: 'foreign' }
        },
      }),
  },
  {
    name: 'looks-after-test-posts',
    about: 'It takes the test POST for a notification.',
    check: 'registration/test-post-without-effect',
    parts: () =>
      withPolicy({
        interpretBody(body, route) {
          const meaning = carefulPolicy.interpretBody(body, route)
          return meaning.kind === 'test' ? { kind: 'notification', id: 'test' } : meaning
        },
      }),
  },
  {
    name: 'address-with-a-fragment',
    about: 'Its address has a part that no sender sends.',
    check: 'registration/url-form',
    parts: () => ({ address: (template) => `${template}#receiver` }),
  },
  {
    name: 'address-to-guess',
    about: 'Its address can be guessed.',
    check: 'registration/unguessable-url',
    options: { token: 'hook' },
  },
]
