/** Each line is a key with what it means; what a platform need not set is commented out. */
const SECTIONS: readonly (readonly [comment: string, yaml: string])[] = [
  [
    'Where your receiver listens. {object_type} stands for the type; a path that nobody can guess keeps others out.',
    `receiver:
  url: https://localhost:9443/notifications/{object_type}/3f9c1d2ab47e8051c6d20a94e7b1358f
  # Also: one URL for each type, or { webhooks: …, callbacks: … } if it is registered in both generations.
  # ca: ./my-ca.pem                      # beside the sandbox's own CA
  # headers: { x-environment: test }
  # callsBack: true                      # it asks the service back at http://127.0.0.1:4010; then it fails if it does not
  # sourceAddresses: loopback            # or the header in which your proxy names the sender`,
  ],
  [
    'What your platform did about an object: a page that answers {"effects": n, "state": "…" or null, "amount"?, "currency"?}.\nWithout it, only answers are judged: nobody sees whether money would have moved twice.',
    `# effects:
#   http: http://localhost:3000/effects/{object_type}/{id}
#   # or command: ./effects.sh           # is given the object type and the id, and prints the same
#   # or sink: true                      # your platform posts {object_type, id, state?, amount?} to us, once per effect`,
  ],
  [
    'How to stop and start your receiver, to see whether what it has accepted outlives it. Each must end by itself.',
    `# process:
#   stop: docker compose kill receiver
#   start: docker compose start receiver`,
  ],
  [
    'The sandbox that your receiver asks back: its own, in memory, or one that runs.',
    `# service:
#   port: 4010
#   # attach: http://127.0.0.1:4011      # with HOOKBENCH_TOKEN, or the data folder`,
  ],
  [
    'Milliseconds: how long an answer may take, from when on it is too slow, how long an effect may take,\nand how long nothing must happen where nothing must.',
    `# budgetMs: 10000
# warnMs: 5000
# settleMs: 5000
# window: 1000`,
  ],
  [
    'What is known of the service where its document leaves it open: npx hookbench readings',
    `# profile:
#   environment: pre-live
#   generations: [webhooks]
#   signature: 'off'
#   readings: { retry-window: 24h }`,
  ],
  [
    'What you know and cannot mend today. One that passes fails the run, so that it is taken out.',
    '# knownFailures: [http/answers-in-time]',
  ],
]

const comment = (text: string) =>
  text
    .split('\n')
    .map((line) => `# ${line}`)
    .join('\n')

/** `hookbench.config.yaml`, as `init` writes it. */
export const yamlConfig = `${SECTIONS.map(([about, yaml]) => `${comment(about)}\n${yaml}`).join('\n\n')}\n`

/** `hookbench.config.ts`, as `init` writes it; it imports only a type, and needs no installation. */
export const typescriptConfig = `import type { CheckConfig } from 'hookbench/config'

export default {
  // Where your receiver listens. {object_type} stands for the type; a path that nobody can guess keeps others out.
  receiver: {
    url: 'https://localhost:9443/notifications/{object_type}/3f9c1d2ab47e8051c6d20a94e7b1358f',
    // Also: one URL for each type, or { webhooks: …, callbacks: … } if it is registered in both generations.
    // ca: './my-ca.pem', // beside the sandbox's own CA
    // headers: { 'x-environment': 'test' },
    // callsBack: true, // it asks the service back at http://127.0.0.1:4010; then it fails if it does not
    // sourceAddresses: 'loopback', // or the header in which your proxy names the sender
  },

  // What your platform did about an object: a page that answers
  // {"effects": n, "state": "…" or null, "amount"?: minor units, "currency"?}.
  // Without it, only answers are judged: nobody sees whether money would have moved twice.
  // effects: { http: 'http://localhost:3000/effects/{object_type}/{id}' },
  // effects: { command: './effects.sh' }, // is given the object type and the id, and prints the same
  // effects: { function: async (object_type, id) => ({ effects: 0, state: null }) },
  // effects: { sink: true }, // your platform posts {object_type, id, state?, amount?} to us, once per effect

  // How to stop and start your receiver, to see whether what it has accepted outlives it. Each must end by itself.
  // process: { stop: 'docker compose kill receiver', start: 'docker compose start receiver' },

  // The sandbox that your receiver asks back: its own, in memory, or one that runs.
  // service: { port: 4010 },
  // service: { attach: 'http://127.0.0.1:4011' }, // with HOOKBENCH_TOKEN, or the data folder

  // Milliseconds: how long an answer may take, from when on it is too slow, how long an effect may take,
  // and how long nothing must happen where nothing must.
  // budgetMs: 10_000,
  // warnMs: 5_000,
  // settleMs: 5_000,
  // window: 1_000,

  // What is known of the service where its document leaves it open: npx hookbench readings
  // If webhooks are signed: signature: 'hmac' and secret: what your receiver verifies them with.
  // profile: { environment: 'pre-live', generations: ['webhooks'], signature: 'off', readings: { 'retry-window': '24h' } },

  // Whose success you act on, where it is not the usual object; null for a payment that you have no use for.
  // consequences: { 'card-payin': { object_type: 'items', state: 'payment_deposited' }, 'bpay-payin': null },

  // What you know and cannot mend today. One that passes fails the run, so that it is taken out.
  // knownFailures: ['http/answers-in-time'],
} satisfies CheckConfig
`
