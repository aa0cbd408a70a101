import type { EffectState } from '../toolkit/ports.ts'
import type { ConfigFile, EffectsConfig } from '../../spec/generated/config-types.ts'

/** What `hookbench.config.ts` says, for `hookbench up` and `hookbench check` alike: a configuration file, where effects may be a function. */
export interface Config extends Omit<ConfigFile, 'effects'> {
  readonly effects?: EffectsConfig | EffectsFunction
}

interface EffectsFunction {
  /** Says what the platform did about an object. */
  readonly function: (object_type: string, id: string) => Promise<EffectState> | EffectState
}
