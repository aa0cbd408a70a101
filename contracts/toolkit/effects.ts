/** What a platform says that it did about one object. */
export interface EffectState {
  /** How often it carried out its consequence. */
  readonly effects: number
  /** The service's word for the state that it now believes; null if it believes none. */
  readonly state: string | null
  /** Minor units of what it acted on, if it says so. */
  readonly amount?: number
  readonly currency?: string
  /** Whom it acted for, and on which account, if it says so: by the ids that the service knows them by. */
  readonly user_id?: string
  readonly account_id?: string
}

/** How late effects come, in real milliseconds. */
export interface SeenDelay {
  /** The latest after its message was accepted; null if none was seen. */
  readonly latestMs: number | null
  /** How long one is waited for. */
  readonly waitedMs: number
}

/** Where that is read. Throws ProbeError. */
export type EffectProbe = (object_type: string, id: string) => Promise<EffectState>
