import { expectAccepted, type Check, type Receiver, type Step } from '../check.ts'

/** How often a delivery comes again after it was accepted. */
const AGAIN = 3

export const idempotencyChecks: readonly Check[] = [
  {
    id: 'idempotency/same-delivery-again',
    severity: 'must',
    level: 0,
    requirement: 'The receiver answers a delivery that it has already accepted with success again.',
    source: ['§6.1', '§8'],
    readings: ['delivery-success'],
    run: async (receiver) =>
      expectAccepted(
        receiver,
        await repeatedSteps(receiver),
        'When an answer is lost on its way, the service sends the same delivery again; a refusal makes it try for a day. Recognise what you know already, do nothing, and answer 2xx.',
      ),
  },
]

async function repeatedSteps(receiver: Receiver): Promise<Step[]> {
  const steps: Step[] = []
  for (const type of receiver.types) {
    const [example] = await receiver.bodies(type)
    if (!example) continue
    const sent = JSON.stringify(example.body)
    const again = Array.from({ length: AGAIN }, (_, index) => ({
      label: `${example.name}, again (${index + 1})`,
      type,
      sent,
    }))
    steps.push({ label: example.name, type, sent }, ...again)
  }
  return steps
}
