import type * as Api from '../../../spec/generated/control-types.ts'

export interface JudgedSandbox {
  readonly benchUrl: string
  readonly benchToken: string
  readonly world?: string | undefined
  /** True if the sandbox restores the world after a run of checks. */
  readonly keepsWorld: boolean
}

export interface Judge {
  checks(): readonly Api.CheckInfo[]
  /** Plans a rehearsal. Throws ApiError `invalid` if the payment cannot be rehearsed. */
  rehearse(request: Api.RehearsalRequest, sandbox: JudgedSandbox): Promise<PlannedRun>
  preview(request: Api.RehearsalRequest, sandbox: JudgedSandbox): Promise<Api.RehearsalPreview>
  /** Plans checks. Throws ApiError `invalid` for an unknown check. */
  check(request: Api.CheckRunRequest, sandbox: JudgedSandbox): Promise<PlannedRun>
}

export interface PlannedRun {
  readonly about: string
  /** Runs the plan. At the end, restores the world even after an abort or error, unless the sandbox restores it. */
  run(ports: RunPorts): Promise<RunOutcome>
}

export interface RunPorts {
  readonly onProgress: (progress: Api.RunProgress) => void
  readonly signal: AbortSignal
}

export type RunOutcome = Pick<Api.RunDetail, 'conclusion' | 'headline' | 'rehearsal' | 'report'>
