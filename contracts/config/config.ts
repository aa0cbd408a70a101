import type { EffectState } from '../toolkit/ports.ts'
import type { ConfigFile, EffectsConfig } from '../../spec/generated/config-types.ts'

/** The content of `hookbench.config.ts`. In a TypeScript file, `effects` can be a function. */
export interface Config extends Omit<ConfigFile, 'effects'> {
  readonly effects?: EffectsConfig | EffectsFunction
}

interface EffectsFunction {
  /** Returns the effects of your platform on an object. */
  readonly function: (object_type: string, id: string) => Promise<EffectState> | EffectState
}
