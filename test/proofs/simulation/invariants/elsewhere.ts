/** A part of an invariant that a simulation cannot hold, as nothing of it is simulated. */
interface ElsewhereHeld {
  readonly id: string
  readonly about: string
  /** The test that holds it. */
  readonly test: string
}

export const ELSEWHERE: readonly ElsewhereHeld[] = [
  {
    id: 'I-schedule',
    about: 'on a clock that runs by itself, each retry comes in time',
    test: 'test/end-to-end/ladder-at-speed.test.ts',
  },
  {
    id: 'I-order',
    about: 'the notifications of a payment arrive in the order of the document',
    test: 'test/sandbox/engine/payments/payments.test.ts',
  },
  {
    id: 'I-egress',
    about: 'every socket goes to an address that the policy allows, and a redirect opens none',
    test: 'test/end-to-end/transport-addresses.test.ts',
  },
  {
    id: 'I-bounded',
    about: 'what is kept of an answer is bounded, whatever a receiver sends',
    test: 'test/end-to-end/transport.test.ts',
  },
]
