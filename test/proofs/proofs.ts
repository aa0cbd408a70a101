/** Something that is shown by trying many cases, more than fit into a run of the tests. */
export interface Proof {
  readonly id: string
  /** What runs it, as it is typed. */
  readonly script: string
  /** What one case is, in the plural: "seeds of 30 days". */
  readonly cases: string
  /** What is tried, and what must hold after each case. */
  readonly tried: string
}

/** All proofs, in the order in which RELIABILITY.md lists them. */
export const PROOFS: readonly Proof[] = [
  {
    id: 'verdicts-under-load',
    script: 'npm run test:load',
    cases: 'runs of all checks',
    tried:
      'Careful receivers that were written without knowledge of the checks are judged again and again, some runs beside three busy loops: each verdict is the same, and none is "failed".',
  },
  {
    id: 'receiver-faults',
    script: 'npm run test:faults',
    cases: 'faults, each once as test POST and once as delivery',
    tried:
      'A receiver fails in each way of a list: sockets, HTTP, TLS, names, addresses, and the network between two namespaces. What is on record and stored, the next attempt, the connections that are left and the time that it took are exactly those of the list.',
  },
  {
    id: 'addresses',
    script: 'npm run addresses',
    cases: 'spellings of forbidden addresses',
    tried:
      'Each spelling comes in by create, update, enable, test POST, delivery, callback, manual resend and crafted delivery, on a machine that has the forbidden addresses itself: every one is refused, and no connection reaches a listener there.',
  },
  {
    id: 'simulation',
    script: 'npm run sim',
    cases: 'seeds of 30 days',
    tried:
      'A whole sandbox in one process, with a clock moved by hand, scripted receivers and a disk that crashes: registrations, changes, payments, retries, lists and resends, alone and at once, killed and cut off from power anywhere. Every invariant holds after each run.',
  },
  {
    id: 'planted-bugs',
    script: 'npm run sim -- --planted',
    cases: 'bugs',
    tried:
      'Bugs as somebody might make them, put into the ports of a sandbox that has none: the simulation finds every one. [Which invariant found which](test/proofs/simulation/planted-bugs.md).',
  },
  {
    id: 'kill-points',
    script: 'npm run crash',
    cases: 'points at which a process is killed',
    tried:
      'Scenarios on a real store, killed once before, in the middle of and after each of their writes; a restore and a reset, killed in each of theirs; and real processes with SIGKILL under load, in an advance, a restore and a reset. What the next process finds holds every invariant: nothing acknowledged is lost, what was cut off is on record, and nothing is sent twice but what was under way.',
  },
  {
    id: 'power-loss',
    script: 'npm run power-loss',
    cases: 'losses of power',
    tried:
      'What a sandbox really writes, syncs, renames and deletes is recorded by strace, and cut off anywhere: of what was not synced, any part of it is on the disk, in sectors of 512 or 4,096 bytes and in any order, and so are names of files. After each the data folder and its store open, everything acknowledged is there, and the rest is whole or absent.',
  },
  {
    id: 'postgres-log',
    script: 'npm run test:postgres',
    cases: 'histories of two nodes',
    tried:
      'Two nodes write one world in PostgreSQL by turns, while connections are cut, refused, delayed, held up, or lose the answer of a commit, and leases run out. What was acknowledged is there, whole and in order; what was refused is not, unless its outcome was unknown; and by the record that PostgreSQL itself keeps of each change, no two leases ever both write.',
  },
  {
    id: 'soak',
    script: 'npm run soak',
    cases: 'changes',
    tried:
      'A sandbox as its users start it, 100 changes a second, and a fifth of the receivers do something else of the list of faults on each connection. Each change came once to the healthy receivers and is on record so; memory and descriptors do not grow; no healthy receiver waits.',
  },
  {
    id: 'repeat',
    script: 'npm run test:repeat',
    cases: 'runs of all tests',
    tried:
      '`npm test` again and again, of 21 runs six beside three busy loops and one on one core: no test fails.',
  },
  {
    id: 'hostile',
    script: 'npm run hostile -- --cases 5000',
    cases: 'pairs of generated requests, one to each listener',
    tried:
      'Requests drawn from the OpenAPI documents and spoilt: bodies, types, queries, paths, methods, tokens, headers, and bytes that are no HTTP. None is answered with a 5xx, none that is refused changes the store, and none takes the processor for more than 100 ms at once. One pair in four goes over HTTPS to listeners that others can reach.',
  },
  {
    id: 'enables',
    script: 'npm run enables',
    cases: 'rounds of 100 webhooks',
    tried:
      'A hundred webhooks of one type are enabled at once, over a connection each, the eight types taking turns: exactly one call is answered 200, the 99 others 409, and at no instant two are enabled.',
  },
  {
    id: 'nodes',
    script: 'npm run nodes -- --kills 300 --stops 50 --restarts 20',
    cases: 'kills, stops and restarts',
    tried:
      'Three nodes as processes on one PostgreSQL, changes of three worlds through all of them, and the owner of a world killed by SIGKILL, or stopped by SIGSTOP until another has its worlds and then woken, or PostgreSQL itself crashed and started again. Every acknowledged change is there and was received; what came twice is on record as interrupted; and of each append as PostgreSQL committed it, the writer is the only one of its epoch and goes on where the one before ended.',
  },
]
