export interface Proof {
  readonly id: string
  readonly name: string
  readonly script: string
  /** The unit of a case, in the plural: "seeds of 30 days". */
  readonly cases: string
  /** The tested cases, and the property after each of them. */
  readonly tried: string
}

/** All proofs, in the order of docs/internals/reliability.md. */
export const PROOFS: readonly Proof[] = [
  {
    id: 'verdicts-under-load',
    name: 'Verdicts under load',
    script: 'npm run proof -- verdicts-under-load',
    cases: 'runs of all checks',
    tried:
      'Careful receivers, written without knowledge of the checks, are judged several times, some runs next to three busy loops. Each verdict is the same in every run, and none is "failed".',
  },
  {
    id: 'receiver-faults',
    name: 'Faults of a receiver',
    script: 'npm run proof -- receiver-faults',
    cases: 'faults, each once as test POST and once as delivery',
    tried:
      'A receiver fails in each way of a list: sockets, HTTP, TLS, names, addresses, and the network between two namespaces. The recorded outcome, the stored state, the next attempt, the open connections and the time are exactly those of the list.',
  },
  {
    id: 'addresses',
    name: 'Forbidden addresses',
    script: 'npm run proof -- addresses',
    cases: 'spellings of forbidden addresses',
    tried:
      'Each spelling comes in by create, update, enable, test POST, delivery, callback, manual resend and crafted delivery, on a machine that has the forbidden addresses itself. Every spelling is refused, and no listener there gets a connection.',
  },
  {
    id: 'simulation',
    name: 'Simulation',
    script: 'npm run sim',
    cases: 'seeds of 30 days',
    tried:
      'A whole sandbox runs in one process with a manual clock, scripted receivers and a simulated disk. Registrations, changes, payments, retries, lists, resends, restores and resets run alone and at once. Kills, power losses, full disks and failed disks come anywhere in between. Every invariant holds after each run.',
  },
  {
    id: 'planted-bugs',
    name: 'Planted bugs',
    script: 'npm run sim -- --planted',
    cases: 'bugs',
    tried:
      'Plausible bugs are put into the ports and the store of a sandbox that has none. The simulation finds every one. [Which invariant found which](../../test/proofs/simulation/planted-bugs.md).',
  },
  {
    id: 'kill-points',
    name: 'Kills',
    script: 'npm run proof -- kill-points',
    cases: 'points at which a process is killed',
    tried:
      'Scenarios on a real store are killed before, in and after each of their writes, and so are a restore and a reset. Real processes get SIGKILL under load, in an advance, a restore and a reset. The next process loses nothing acknowledged, records each interrupted attempt, and sends nothing twice except what was in flight.',
  },
  {
    id: 'power-loss',
    name: 'Losses of power',
    script: 'npm run proof -- power-loss',
    cases: 'losses of power',
    tried:
      'strace records the writes, syncs, renames and deletions of a real sandbox. The record is cut off anywhere: of the unsynced part, any sectors of 512 or 4,096 bytes are on the disk, in any order, and so are names of files. Each time the data folder and its store open, everything acknowledged is there, and the rest is whole or absent.',
  },
  {
    id: 'standby',
    name: 'Standbys',
    script: 'npm run proof -- standby',
    cases: 'kills, freezes and outages',
    tried:
      'Three processes share one PostgreSQL, and three worlds change all the time. The process that serves gets SIGKILL, is frozen past its lease, or PostgreSQL crashes. Nothing acknowledged is lost, PostgreSQL never sees two writers, and each notification that came twice has an attempt on record as interrupted.',
  },
  {
    id: 'soak',
    name: 'Soak',
    script: 'npm run proof -- soak',
    cases: 'changes',
    tried:
      'A sandbox gets 100 changes a second as its users start it, and a fifth of the receivers misbehave on each connection. Each change arrives once at the healthy receivers and is recorded so. Memory and descriptors do not grow, and no healthy receiver waits.',
  },
  {
    id: 'repeat',
    name: 'Repeated tests',
    script: 'npm run proof -- repeat',
    cases: 'runs of all tests',
    tried:
      '`npm test` runs 21 times, six of them next to three busy loops and one on one core. No test fails.',
  },
  {
    id: 'hostile',
    name: 'Hostile requests',
    script: 'npm run proof -- hostile --cases 5000',
    cases: 'pairs of generated requests, one to each listener',
    tried:
      'Requests are drawn from the OpenAPI documents and damaged: bodies, types, queries, paths, methods, tokens, headers, and bytes that are not HTTP. None gets a 5xx answer, no refused request changes the store, and none takes the processor for more than 100 ms at once. One pair in four goes over HTTPS to listeners beyond loopback.',
  },
]
