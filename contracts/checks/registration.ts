import { expectAccepted, type Check } from '../check.ts'

export const registrationChecks: readonly Check[] = [
  {
    id: 'registration/accepts-test-post',
    severity: 'must',
    level: 0,
    requirement: 'The receiver answers the test POST with success.',
    source: ['§1', '§7'],
    readings: ['delivery-success', 'test-text'],
    run: (receiver) =>
      expectAccepted(
        receiver,
        receiver.types.map((type) => ({ label: `the test POST for ${type}`, type, sent: receiver.testBody })),
        'The URL cannot be registered: no notification will ever arrive. Answer 2xx to a body {"message": "…"}, whatever the text.',
      ),
  },
]
