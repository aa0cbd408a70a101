/** How the platform looks for what it has missed. */
export interface ReconcileHook {
  readonly observable: boolean
  /** Lets it do so; what went wrong, undefined if nothing did. */
  run(): Promise<string | undefined>
}

export interface ProcessHooks {
  readonly observable: boolean
  stop(): Promise<void>
  start(options?: StartOptions): Promise<void>
}

export interface StartOptions {
  /** What its clock is to show, ISO 8601; the real time if left out. It gets it as HOOKBENCH_NOW. */
  readonly now?: string
}
