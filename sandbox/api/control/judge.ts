import type {
  CheckInfo,
  CheckRunRequest,
  RehearsalPreview,
  RehearsalRequest,
  RunDetail,
  RunProgress,
} from '../../../spec/generated/control-types.ts'

/** Where the sandbox listens whose registered receiver is judged. */
export interface JudgedSandbox {
  readonly benchUrl: string
  readonly benchToken: string
  /** What commands name its world by; undefined for the default one. */
  readonly world?: string | undefined
  /** Whether it puts its world back itself when a run has ended. */
  readonly keepsWorld: boolean
}

/** What judges a receiver: contracts, which the program hands in. */
export interface Judge {
  /** Every check that there is. */
  checks(): readonly CheckInfo[]
  /** Throws ApiError `invalid` for what cannot be rehearsed. */
  rehearse(request: RehearsalRequest, sandbox: JudgedSandbox): Promise<PlannedRun>
  /** Plays nothing. Throws as `rehearse` does. */
  preview(request: RehearsalRequest, sandbox: JudgedSandbox): Promise<RehearsalPreview>
  /** Throws ApiError `invalid` for checks that there are not. */
  check(request: CheckRunRequest, sandbox: JudgedSandbox): Promise<PlannedRun>
}

/** A run that can begin. */
export interface PlannedRun {
  /** What it is about, for a person. */
  readonly about: string
  /** Puts the sandbox back as it was before it ends, unless that keeps its world; also where it is aborted or throws. */
  run(ports: RunPorts): Promise<RunOutcome>
}

export interface RunPorts {
  readonly onProgress: (progress: RunProgress) => void
  /** Ends it before its end. */
  readonly signal: AbortSignal
}

/** What came of a run. */
export type RunOutcome = Pick<RunDetail, 'conclusion' | 'headline' | 'rehearsal' | 'report'>
