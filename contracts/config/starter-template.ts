/** The configuration that `init --receiver` writes for the receiver that it writes; `token` is the part of its addresses that nobody can guess. */
export function starterConfig(token: string): string {
  return `import type { Config } from 'hookbench/config'

// For the receiver in receiver/. "npx hookbench init" in another folder writes a configuration with every key that there is.
export default {
  receiver: {
    url: {
      webhooks: 'https://localhost:9443/notifications/{object_type}/${token}',
      callbacks: 'https://localhost:9443/callbacks/{object_type}/${token}',
    },
    callsBack: true,
  },
  effects: { http: 'http://127.0.0.1:9444/effects/{object_type}/{id}' },
  reconcile: { http: 'http://127.0.0.1:9444/reconcile' },
  process: {
    start: '${START}',
    stop: '${STOP}',
  },
} satisfies Config
`
}

/** The same as YAML. */
export function starterYaml(token: string): string {
  return `# yaml-language-server: $schema=node_modules/hookbench/spec/generated/config.schema.json
# For the receiver in receiver/. "npx hookbench init --yaml" in another folder writes a configuration with every key that there is.
receiver:
  url:
    webhooks: https://localhost:9443/notifications/{object_type}/${token}
    callbacks: https://localhost:9443/callbacks/{object_type}/${token}
  callsBack: true
effects:
  http: http://127.0.0.1:9444/effects/{object_type}/{id}
reconcile:
  http: http://127.0.0.1:9444/reconcile
process:
  start: '${START}'
  stop: '${STOP}'
`
}

const START = 'node receiver/main.mjs >> receiver/log.txt 2>&1 & echo $! > receiver/pid.txt'
const STOP = 'kill -9 $(cat receiver/pid.txt)'
