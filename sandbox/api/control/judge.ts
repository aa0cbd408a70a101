import type {
  CheckInfo,
  CheckRunRequest,
  RehearsalPreview,
  RehearsalRequest,
  RunDetail,
  RunProgress,
} from '../../../spec/generated/control-types.ts'

/** The sandbox with the receiver that is judged. */
export interface JudgedSandbox {
  readonly benchUrl: string
  readonly benchToken: string
  /** The name of its world for commands. Undefined for the default world. */
  readonly world?: string | undefined
  /** True if it restores its world itself after a run. */
  readonly keepsWorld: boolean
}

/** Judges a receiver. The contracts implement it. */
export interface Judge {
  checks(): readonly CheckInfo[]
  /** Throws ApiError `invalid` for a payment that cannot be rehearsed. */
  rehearse(request: RehearsalRequest, sandbox: JudgedSandbox): Promise<PlannedRun>
  /** Plays nothing. Throws like `rehearse`. */
  preview(request: RehearsalRequest, sandbox: JudgedSandbox): Promise<RehearsalPreview>
  /** Throws ApiError `invalid` for an unknown check. */
  check(request: CheckRunRequest, sandbox: JudgedSandbox): Promise<PlannedRun>
}

export interface PlannedRun {
  /** The subject of the run, for a person. */
  readonly about: string
  /** Restores the sandbox at the end, also after an abort or an error, unless the sandbox keeps its world. */
  run(ports: RunPorts): Promise<RunOutcome>
}

export interface RunPorts {
  readonly onProgress: (progress: RunProgress) => void
  /** Ends the run early. */
  readonly signal: AbortSignal
}

export type RunOutcome = Pick<RunDetail, 'conclusion' | 'headline' | 'rehearsal' | 'report'>
