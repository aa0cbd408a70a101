import { expectAccepted, type Check, type Receiver, type Step } from '../check.ts'

export const httpChecks: readonly Check[] = [
  {
    id: 'http/accepts-golden-bodies',
    severity: 'must',
    level: 0,
    requirement: 'The receiver answers every notification that the service can send with success.',
    source: ['§2.5', '§6.1'],
    readings: ['delivery-success', 'item-states'],
    run: async (receiver) =>
      expectAccepted(
        receiver,
        await goldenSteps(receiver),
        'The service takes these deliveries for failed: it sends them again for a day and then never more. Answer 2xx to every valid body, also to states that you have nothing to do for.',
      ),
  },
]

async function goldenSteps(receiver: Receiver): Promise<Step[]> {
  const steps: Step[] = []
  for (const type of receiver.types) {
    for (const { name, body } of await receiver.bodies(type)) {
      steps.push({ label: name, type, sent: JSON.stringify(body) })
    }
  }
  return steps
}
