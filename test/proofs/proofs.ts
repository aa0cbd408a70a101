export interface Proof {
  readonly id: string
  readonly name: string
  readonly script: string
  /** The plural noun for the cases, such as "seeds of 30 days". */
  readonly cases: string
  /** The tested cases, and the property that is checked after each case. */
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
      'All checks run several times against careful receivers. The authors of these receivers did not know the checks. Three busy loops slow down some of the runs. Each check has the same verdict in every run, and no verdict is "failed".',
  },
  {
    id: 'receiver-faults',
    name: 'Faults of a receiver',
    script: 'npm run proof -- receiver-faults',
    cases: 'faults, each once as test POST and once as delivery',
    tried:
      'A list has faults of sockets, HTTP, TLS, host names, addresses, and the network between two namespaces. A receiver fails in each of these ways. The recorded outcome, the stored state and the next attempt are exactly as in the list. The open connections and the time are also exactly as in the list.',
  },
  {
    id: 'addresses',
    name: 'Forbidden addresses',
    script: 'npm run proof -- addresses',
    cases: 'spellings of forbidden addresses',
    tried:
      'The machine of the test itself has the forbidden addresses. Each spelling is used to create, update and enable a registration. Test POSTs, deliveries, callbacks, manual resends and manual deliveries also use each spelling. The sandbox rejects every spelling, and no listener at a forbidden address gets a connection.',
  },
  {
    id: 'simulation',
    name: 'Simulation',
    script: 'npm run sim',
    cases: 'seeds of 30 days',
    tried:
      'A complete sandbox runs in one process with a manual clock, scripted receivers and a simulated disk. Registrations, changes, payments, retries, lists, resends, restores and resets run one by one and concurrently. Kills, power losses, full disks and failed disks happen at any point. Every invariant holds after each run.',
  },
  {
    id: 'planted-bugs',
    name: 'Planted bugs',
    script: 'npm run sim -- --planted',
    cases: 'bugs',
    tried:
      'The script adds plausible bugs to the ports and the store of a correct sandbox. The simulation finds every bug. [A table](../../test/proofs/simulation/planted-bugs.md) shows the invariant that found each bug.',
  },
  {
    id: 'kill-points',
    name: 'Kills',
    script: 'npm run proof -- kill-points',
    cases: 'points at which a process is killed',
    tried:
      'Scenarios on a real store are killed before, during and after each write. A restore and a reset are killed in the same way. Real processes get SIGKILL under load, and during an advance, a restore and a reset. The next process has every acknowledged change, and records each interrupted attempt. Only the notifications that were in flight are sent twice.',
  },
  {
    id: 'power-loss',
    name: 'Losses of power',
    script: 'npm run proof -- power-loss',
    cases: 'losses of power',
    tried:
      'strace records the writes, syncs, renames and deletions of a real sandbox. Each case cuts off this record at some point, as a loss of power does. Of the unsynced writes, a random part of the sectors (512 or 4,096 bytes) is then on the disk. A random part of the unsynced file names is also on the disk. In each case, the data folder and its store open. Every acknowledged change is there, and every other change is complete or absent.',
  },
  {
    id: 'standby',
    name: 'Standbys',
    script: 'npm run proof -- standby',
    cases: 'kills, freezes and outages',
    tried:
      'Three processes share one PostgreSQL database, and three worlds change all the time. In each case, the serving process gets SIGKILL or is frozen until after its lease, or PostgreSQL crashes. No acknowledged change is lost, and PostgreSQL never sees two writers. For each notification that arrived twice, the sandbox recorded an interrupted attempt.',
  },
  {
    id: 'soak',
    name: 'Soak',
    script: 'npm run proof -- soak',
    cases: 'changes',
    tried:
      'A sandbox, started with `hookbench up`, gets 100 changes a second. A fifth of the receivers misbehave on each connection. Each change arrives once at the healthy receivers, and the records agree. Memory and file descriptors do not grow, and no healthy receiver waits.',
  },
  {
    id: 'hostile',
    name: 'Hostile requests',
    script: 'npm run proof -- hostile --cases 5000',
    cases: 'pairs of generated requests, one to each listener',
    tried:
      'The script generates requests from the OpenAPI documents and damages them. It damages bodies, types, queries, paths, methods, tokens and headers, and sends bytes that are not HTTP. No request gets a 5xx response, and no rejected request changes the store. No request uses the processor for more than 100 ms at once. One pair in four goes over HTTPS to listeners for other machines.',
  },
]
