interface Section {
  readonly about: string
  readonly yaml: string
  readonly ts: string
}

/** The keys and their meaning. Optional keys are commented out. */
const SECTIONS: readonly Section[] = [
  {
    about: `The URL of your receiver. {object_type} is replaced with the type.
A path that is impossible to guess keeps strangers out.`,
    yaml: `receiver:
  url: https://localhost:9443/notifications/{object_type}/3f9c1d2ab47e8051c6d20a94e7b1358f
  # Also one URL for each type, or { webhooks: …, callbacks: … } for both generations.
  # ca: ./my-ca.pem                      # another CA besides the one of the sandbox
  # headers: { x-environment: test }
  # callsBack: true                      # asks the service at http://127.0.0.1:4010, and fails otherwise
  # generations: [webhooks, callbacks]   # one URL for both`,
    ts: `receiver: {
  url: 'https://localhost:9443/notifications/{object_type}/3f9c1d2ab47e8051c6d20a94e7b1358f',
  // Also one URL for each type, or { webhooks: …, callbacks: … } for both generations.
  // ca: './my-ca.pem', // another CA besides the one of the sandbox
  // headers: { 'x-environment': 'test' },
  // callsBack: true, // asks the service at http://127.0.0.1:4010, and fails otherwise
  // generations: ['webhooks', 'callbacks'], // one URL for both
},`,
  },
  {
    about: `The effects on an object, as a page that answers
{"effects": n, "state": "…" or null, "amount"?: minor units, "currency"?, "user_id"?, "account_id"?}.
Without it, only answers are checked, and a duplicate effect stays unnoticed.`,
    yaml: `# effects:
#   http: http://localhost:3000/effects/{object_type}/{id}
#   # or command: ./effects.sh           # gets the object type and the id, and prints the same
#   # or sink: true                      # posts {object_type, id, state?, amount?, user_id?, account_id?} once per effect`,
    ts: `// effects: { http: 'http://localhost:3000/effects/{object_type}/{id}' },
// effects: { command: './effects.sh' }, // gets the object type and the id, and prints the same
// effects: { function: async (object_type, id) => ({ effects: 0, state: null }) },
// effects: { sink: true }, // posts {object_type, id, state?, amount?, user_id?, account_id?} once per effect`,
  },
  {
    about: `Commands that stop and start your receiver, to check that accepted notifications survive a crash.
Each must end by itself.`,
    yaml: `# process:
#   stop: docker compose kill receiver
#   start: docker compose start receiver`,
    ts: `// process: { stop: 'docker compose kill receiver', start: 'docker compose start receiver' },`,
  },
  {
    about: `The job with which your platform finds missed notifications after an outage longer than all retries.
The job must be complete when the command or the request ends.`,
    yaml: `# reconcile:
#   command: ./reconcile.sh              # gets the address of the service in HOOKBENCH_SERVICE_URL
#   # or http: http://localhost:3000/reconcile   # gets a POST`,
    ts: `// reconcile: { command: 'npm run reconcile' }, // gets the address of the service in HOOKBENCH_SERVICE_URL
// reconcile: { http: 'http://localhost:3000/reconcile' }, // gets a POST`,
  },
  {
    about: 'The sandbox that your receiver calls. Defaults to a sandbox of the run, in memory.',
    yaml: `# service:
#   attach: true                         # the one of the data folder, or http://127.0.0.1:4011 with HOOKBENCH_TOKEN
#   world: new                           # a world of the run, next to others`,
    ts: `// service: { attach: true }, // the one of the data folder, or 'http://127.0.0.1:4011' with HOOKBENCH_TOKEN
// service: { attach: true, world: 'new' }, // a world of the run, next to others`,
  },
  {
    about: `Times in milliseconds. They are the longest answer, the limit for a slow answer, the longest wait for an effect,
the window without effects, and the exploration of random worlds.`,
    yaml: `# budgetMs: 10000
# warnMs: 5000
# settleMs: 5000
# windowMs: 1000
# exploreMs: 5000`,
    ts: `// budgetMs: 10_000,
// warnMs: 5_000,
// settleMs: 5_000,
// windowMs: 1_000,
// exploreMs: 5_000,`,
  },
  {
    about: `Your choice of readings, as listed by npx hookbench readings.
With the secret of your receiver, webhooks are signed.`,
    yaml: `# readings: { environment: pre-live, retry-window: 24h }
# signatureSecret: what-only-your-receiver-and-the-service-know`,
    ts: `// readings: { environment: 'pre-live', 'retry-window': '24h' },
// signatureSecret: 'what-only-your-receiver-and-the-service-know',`,
  },
  {
    about: `The sending addresses of deliveries, as images of the documented addresses in 127.0.0.0/8 (Linux, loopback),
or in the header in which your proxy names the sender.`,
    yaml: '# sourceAddresses: x-forwarded-for',
    ts: `// sourceAddresses: 'x-forwarded-for', // or 'loopback'`,
  },
  {
    about: `The object that you act on, if it is not the default, such as the item.
Use null for a payment that you do not act on.`,
    yaml: `# consequences:
#   card-payin: { object_type: items, state: payment_deposited }
#   bpay-payin: null`,
    ts: `// consequences: { 'card-payin': { object_type: 'items', state: 'payment_deposited' }, 'bpay-payin': null },`,
  },
  {
    about: 'The checks to run, by id or topic (default: all), and the least severe failure that fails a run.',
    yaml: `# checks: [order, http/answers-in-time]
# failOn: should`,
    ts: `// checks: ['order', 'http/answers-in-time'],
// failOn: 'should', // or 'must'`,
  },
  {
    about: `Checks that you know to fail and cannot fix today.
If such a check passes, the run fails, so that you remove it from the list.`,
    yaml: '# knownFailures: [http/answers-in-time]',
    ts: `// knownFailures: ['http/answers-in-time'],`,
  },
  {
    about: `Settings of "npx hookbench up".
A check also uses the port, the data folder, the targets, the words and the credentials.`,
    yaml: `# port: 4010
# benchPort: 4011
# data: .hookbench
# memory: true                           # stores only certificates and the token in the data folder
# https: true                            # serves the service API over HTTPS
# listen: 0.0.0.0                        # others can reach it over HTTPS, with HOOKBENCH_TOKEN and your own credentials
# allowedHosts: [hookbench]              # its names for others
# clock: manual                          # or speed: 300, which makes five minutes a second
# seed: 1                                # repeats a run
# allowTargets: [10.0.0.0/8]             # besides this machine
# vocabulary: { extwallet: acmepay }     # the words of production
# credentials: { client_id: sandbox, client_secret: sandbox-secret }`,
    ts: `// port: 4010,
// benchPort: 4011,
// data: '.hookbench',
// memory: true, // stores only certificates and the token in the data folder
// https: true, // serves the service API over HTTPS
// listen: '0.0.0.0', // others can reach it over HTTPS, with HOOKBENCH_TOKEN and your own credentials
// allowedHosts: ['hookbench'], // its names for others
// clock: 'manual', // or speed: 300, which makes five minutes a second
// seed: 1, // repeats a run
// allowTargets: ['10.0.0.0/8'], // besides this machine
// vocabulary: { extwallet: 'acmepay' }, // the words of production
// credentials: { client_id: 'sandbox', client_secret: 'sandbox-secret' },`,
  },
]

const prefix = (text: string, mark: string) => text.replaceAll(/^/gm, mark)

/** Lets editors validate the file. */
const SCHEMA_LINE =
  '# yaml-language-server: $schema=./node_modules/hookbench/spec/generated/config.schema.json'

/** `hookbench.config.yaml` of `init --lang`, for projects without node_modules. */
export const plainYamlConfig = `${SECTIONS.map(({ about, yaml }) => `${prefix(about, '# ')}\n${yaml}`).join('\n\n')}\n`

/** `hookbench.config.yaml` of `init --yaml`. */
export const yamlConfig = `${SCHEMA_LINE}\n\n${plainYamlConfig}`

/** `hookbench.config.ts` of `init`. It imports only a type, and needs no installation. */
export const typescriptConfig = `import type { Config } from 'hookbench/config'

export default {
${SECTIONS.map(({ about, ts }) => prefix(`${prefix(about, '// ')}\n${ts}`, '  ')).join('\n\n')}
} satisfies Config
`
