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
]
