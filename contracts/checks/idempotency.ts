import {
  deliverAll,
  expectAccepted,
  isAccepted,
  sentence,
  unreachedIn,
  type Check,
  type Finding,
  type Receiver,
  type Step,
} from '../check.ts'

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
    run: sameDeliveryAgain,
  },
]

const MEANING =
  'When an answer is lost on its way, the service sends the same delivery again; a refusal makes it try for a day. Recognise what you know already, do nothing, and answer 2xx.'

/** The first delivery of each type is the control: without its acceptance, what follows is no repetition. */
async function sameDeliveryAgain(receiver: Receiver): Promise<Finding> {
  const steps = await firstSteps(receiver)
  const first = await deliverAll(receiver, steps)
  const accepted = steps.filter((_, index) => first.slice(index, index + 1).some(isAccepted))
  const again = await expectAccepted(receiver, accepted.flatMap(repeated), MEANING)
  if (again.kind !== 'passed') return again

  const exchanges = [...first, ...again.exchanges]
  const refused = first.find((exchange) => !isAccepted(exchange))
  if (!refused) return { kind: 'passed', exchanges }
  const why = `the first delivery must be accepted before it can come again, but ${sentence(refused)}`
  return unreachedIn(first) ?? { kind: 'inconclusive', cause: 'control-failed', why, exchanges }
}

async function firstSteps(receiver: Receiver): Promise<Step[]> {
  const steps: Step[] = []
  for (const type of receiver.types) {
    const [example] = await receiver.bodies(type)
    if (example) steps.push({ label: example.name, type, sent: JSON.stringify(example.body) })
  }
  return steps
}

function repeated(step: Step): Step[] {
  return Array.from({ length: AGAIN }, (_, index) => ({
    ...step,
    label: `${step.label}, again (${index + 1})`,
  }))
}
