/** The keys and their meaning. Optional keys are commented out. */
const SECTIONS: readonly (readonly [comment: string, yaml: string])[] = [
  [
    'The URL of your receiver. {object_type} is replaced with the type. A path that is impossible to guess keeps strangers out.',
    `receiver:
  url: https://localhost:9443/notifications/{object_type}/3f9c1d2ab47e8051c6d20a94e7b1358f
  # Also: one URL for each type, or { webhooks: …, callbacks: … } if it is registered in both generations.
  # ca: ./my-ca.pem                      # beside the sandbox's own CA
  # headers: { x-environment: test }
  # callsBack: true                      # it asks the service back at http://127.0.0.1:4010; then it fails if it does not
  # generations: [webhooks, callbacks]   # where one URL is for both`,
  ],
  [
    'The effects on an object, as a page that answers {"effects": n, "state": "…" or null, "amount"?, "currency"?, "user_id"?, "account_id"?}.\nWithout it, only answers are checked, and a duplicate effect stays unnoticed.',
    `# effects:
#   http: http://localhost:3000/effects/{object_type}/{id}
#   # or command: ./effects.sh           # is given the object type and the id, and prints the same
#   # or sink: true                      # your platform posts {object_type, id, state?, amount?, user_id?, account_id?} to the address that a run prints, once per effect`,
  ],
  [
    'Commands that stop and start your receiver, to check that accepted notifications survive a crash. Each must end by itself.',
    `# process:
#   stop: docker compose kill receiver
#   start: docker compose start receiver`,
  ],
  [
    'The job with which your platform finds missed notifications after an outage longer than all retries. It has ended when this has.',
    `# reconcile:
#   command: ./reconcile.sh              # with HOOKBENCH_SERVICE_URL, the address to ask
#   # or http: http://localhost:3000/reconcile   # is posted to`,
  ],
  [
    'The sandbox that your receiver asks back. Defaults to a sandbox of the run, in memory.',
    `# service:
#   attach: true                         # that of the data folder; or http://127.0.0.1:4011, with HOOKBENCH_TOKEN
#   world: new                           # in a world of the run's own, which goes with it, side by side with others`,
  ],
  [
    'Times in milliseconds: the longest answer, the limit for a slow answer, the longest wait for an effect,\nthe wait before a missing effect counts, and the exploration of random worlds.',
    `# budgetMs: 10000
# warnMs: 5000
# settleMs: 5000
# windowMs: 1000
# exploreMs: 5000`,
  ],
  [
    'Your choice of readings, as listed by npx hookbench readings\nWebhooks are signed if you give what your receiver verifies them with.',
    `# readings: { environment: pre-live, retry-window: 24h }
# signatureSecret: what-only-your-receiver-and-the-service-know`,
  ],
  [
    'The sending addresses of deliveries, as images of the documented addresses in 127.0.0.0/8 (Linux),\nor in the header in which your proxy names the sender.',
    `# sourceAddresses: x-forwarded-for`,
  ],
  [
    'The object that you act on, if it is not the default, such as the item. Use null for a payment that you do not act on.',
    `# consequences:
#   card-payin: { object_type: items, state: payment_deposited }
#   bpay-payin: null`,
  ],
  [
    'The checks to run, by id or topic (default: all), and the least severe failure that fails a run.',
    `# checks: [order, http/answers-in-time]
# failOn: should`,
  ],
  [
    'Checks that you know to fail and cannot fix today. If such a check passes, the run fails, so that you remove it from the list.',
    '# knownFailures: [http/answers-in-time]',
  ],
  [
    'Settings of "npx hookbench up". A check also uses the port, the data folder, the targets, the words and the credentials.',
    `# port: 4010
# benchPort: 4011
# data: .hookbench
# memory: true                           # keeps nothing in the data folder but certificates and token
# https: true                            # serves the service API over HTTPS
# listen: 0.0.0.0                        # others can reach it, over HTTPS; it asks for HOOKBENCH_TOKEN and credentials of your own
# allowedHosts: [hookbench]              # what they call it by
# clock: manual                          # or speed: 300, which makes five minutes a second
# seed: 1                                # repeats a run
# allowTargets: [10.0.0.0/8]             # beside this machine
# vocabulary: { extwallet: acmepay }     # the words that you meet in production
# credentials: { client_id: sandbox, client_secret: sandbox-secret }`,
  ],
]

const comment = (text: string) =>
  text
    .split('\n')
    .map((line) => `# ${line}`)
    .join('\n')

/** Lets editors validate the file. */
const SCHEMA_LINE =
  '# yaml-language-server: $schema=./node_modules/hookbench/spec/generated/config.schema.json'

/** `hookbench.config.yaml` of `init --lang`, for projects without node_modules. */
export const plainYamlConfig = `${SECTIONS.map(([about, yaml]) => `${comment(about)}\n${yaml}`).join('\n\n')}\n`

/** `hookbench.config.yaml` of `init --yaml`. */
export const yamlConfig = `${SCHEMA_LINE}\n\n${plainYamlConfig}`

/** `hookbench.config.ts` of `init`. It imports only a type, and needs no installation. */
export const typescriptConfig = `import type { Config } from 'hookbench/config'

export default {
  // The URL of your receiver. {object_type} is replaced with the type. A path that is impossible to guess keeps strangers out.
  receiver: {
    url: 'https://localhost:9443/notifications/{object_type}/3f9c1d2ab47e8051c6d20a94e7b1358f',
    // Also: one URL for each type, or { webhooks: …, callbacks: … } if it is registered in both generations.
    // ca: './my-ca.pem', // beside the sandbox's own CA
    // headers: { 'x-environment': 'test' },
    // callsBack: true, // it asks the service back at http://127.0.0.1:4010; then it fails if it does not
    // generations: ['webhooks', 'callbacks'], // where one URL is for both
  },

  // What your platform did about an object: a page that answers
  // {"effects": n, "state": "…" or null, "amount"?: minor units, "currency"?, "user_id"?, "account_id"?}.
  // Without it, only answers are checked: nobody sees whether money would have moved twice.
  // effects: { http: 'http://localhost:3000/effects/{object_type}/{id}' },
  // effects: { command: './effects.sh' }, // is given the object type and the id, and prints the same
  // effects: { function: async (object_type, id) => ({ effects: 0, state: null }) },
  // effects: { sink: true }, // your platform posts {object_type, id, state?, amount?, user_id?, account_id?} to the address that a run prints, once per effect

  // Commands that stop and start your receiver, to check that accepted notifications survive a crash. Each must end by itself.
  // process: { stop: 'docker compose kill receiver', start: 'docker compose start receiver' },

  // The job with which your platform finds missed notifications after an outage longer than all retries. It has ended when this has.
  // reconcile: { command: 'npm run reconcile' }, // with HOOKBENCH_SERVICE_URL, the address to ask
  // reconcile: { http: 'http://localhost:3000/reconcile' }, // is posted to

  // The sandbox that your receiver asks back. Defaults to a sandbox of the run, in memory.
  // service: { attach: true }, // that of the data folder; or 'http://127.0.0.1:4011', with HOOKBENCH_TOKEN
  // service: { attach: true, world: 'new' }, // in a world of the run's own, which goes with it, side by side with others

  // Milliseconds: how long an answer may take, from when on it is too slow, how long an effect may take,
  // how long nothing must happen where nothing must, and how long random worlds are explored.
  // budgetMs: 10_000,
  // warnMs: 5_000,
  // settleMs: 5_000,
  // windowMs: 1_000,
  // exploreMs: 5_000,

  // Your choice of readings, as listed by npx hookbench readings
  // Webhooks are signed if you give what your receiver verifies them with.
  // readings: { environment: 'pre-live', 'retry-window': '24h' },
  // signatureSecret: 'what-only-your-receiver-and-the-service-know',

  // Where deliveries seem to come from: the documented addresses, as their images in 127.0.0.0/8 (Linux),
  // or in the header in which your proxy names the sender.
  // sourceAddresses: 'x-forwarded-for', // or 'loopback'

  // The object that you act on, if it is not the default, such as the item. Use null for a payment that you do not act on.
  // consequences: { 'card-payin': { object_type: 'items', state: 'payment_deposited' }, 'bpay-payin': null },

  // The checks to run, by id or topic (default: all), and the least severe failure that fails a run.
  // checks: ['order', 'http/answers-in-time'],
  // failOn: 'should', // or 'must'

  // Checks that you know to fail and cannot fix today. If such a check passes, the run fails, so that you remove it from the list.
  // knownFailures: ['http/answers-in-time'],

  // Settings of "npx hookbench up". A check also uses the port, the data folder, the targets, the words and the credentials.
  // port: 4010,
  // benchPort: 4011,
  // data: '.hookbench',
  // memory: true, // keeps nothing in the data folder but certificates and token
  // https: true, // serves the service API over HTTPS
  // listen: '0.0.0.0', // others can reach it, over HTTPS; it asks for HOOKBENCH_TOKEN and credentials of your own
  // allowedHosts: ['hookbench'], // what they call it by
  // clock: 'manual', // or speed: 300, which makes five minutes a second
  // seed: 1, // repeats a run
  // allowTargets: ['10.0.0.0/8'], // beside this machine
  // vocabulary: { extwallet: 'acmepay' }, // the words that you meet in production
  // credentials: { client_id: 'sandbox', client_secret: 'sandbox-secret' },
} satisfies Config
`
