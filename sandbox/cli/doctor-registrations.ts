import type { RegistrationRecord } from '../../spec/generated/control-types.ts'
import { callbackTypes, GENERATION_NOUNS, GENERATIONS, type Generation } from '../../spec/delivery.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { commandLine, type CommandTarget } from '../engine/core/command-line.ts'
import { fine, problem, warning, type Finding } from './finding.ts'
import { NOBODY_NOTIFIED } from './nobody-notified.ts'

export interface RegistrationReadings {
  readonly callbackList: 'current' | 'earlier'
  readonly environment: 'pre-live' | 'production'
}

/** The line in the service's document that requires both generations in pre-live during the migration. */
const BOTH_GENERATIONS = { line: 11, section: '§1' } as const

/** Checks that each notified type has an enabled webhook registration. Also checks callbacks if they are in use. Sources: §1, §7 */
export function registrationFindings(
  registrations: readonly RegistrationRecord[],
  readings: RegistrationReadings,
  target: CommandTarget,
): Finding[] {
  if (!registrations.some(({ enabled }) => enabled)) {
    const register = commandLine('register URL --type items', target)
    return [problem('registrations', NOBODY_NOTIFIED, `register with "${register}"`)]
  }
  const isUsed = registrations.some(({ generation }) => generation === 'callbacks')
  const called: readonly string[] = isUsed ? callbackTypes(readings.callbackList) : []
  const ofTypes = notifiedTypes.map((type) => {
    const generations: readonly Generation[] = called.includes(type) ? GENERATIONS : ['webhooks']
    const ofType = registrations.filter(({ object_type }) => object_type === type)
    return typeFinding(type, generations, { registrations: ofType, target })
  })
  return [...ofTypes, ...singleGenerationFinding(registrations, readings, target)]
}

interface Present {
  readonly registrations: readonly RegistrationRecord[]
  readonly target: CommandTarget
}

function typeFinding(type: string, generations: readonly Generation[], { registrations, target }: Present) {
  const enabled = registrations.filter((each) => each.enabled)
  const missing = generations.filter((each) => !enabled.some(({ generation }) => generation === each))
  const [first] = missing
  if (first === undefined) {
    const nouns = enabled.map(({ generation }) => GENERATION_NOUNS[generation])
    return fine('registrations', `${type}: ${nouns.join(' and ')} enabled`)
  }
  const disabledOf = (missed: Generation) => registrations.find(({ generation }) => generation === missed)
  const states = missing.map((each) =>
    disabledOf(each)
      ? `its ${GENERATION_NOUNS[each]} is disabled`
      : `no ${GENERATION_NOUNS[each]} is registered`,
  )
  const option = first === 'callbacks' ? ' --generation callbacks' : ''
  const register = `register with "${commandLine(`register URL --type ${type}${option}`, target)}"`
  const disabled = disabledOf(first)
  const remedy = disabled
    ? `enable it with "${commandLine(`enable ${disabled.id}`, target)}", or ${register}`
    : register
  return warning('registrations', `${type}: ${states.join(', ')}`, remedy)
}

function singleGenerationFinding(
  registrations: readonly RegistrationRecord[],
  { callbackList, environment }: RegistrationReadings,
  target: CommandTarget,
): Finding[] {
  const enabled = registrations.filter((each) => each.enabled)
  const [used, ...others] = GENERATIONS.filter((each) =>
    enabled.some(({ generation }) => generation === each),
  )
  if (environment === 'production' || used === undefined || others.length > 0) return []
  const other = used === 'webhooks' ? 'callbacks' : 'webhooks'
  const both: readonly string[] = callbackTypes(callbackList)
  const types = notifiedTypes.filter(
    (type) => both.includes(type) && enabled.some(({ object_type }) => object_type === type),
  )
  if (types.length === 0) return []
  const option = other === 'callbacks' ? ' --generation callbacks' : ''
  const register = commandLine(
    `register URL ${types.map((type) => `--type ${type}`).join(' ')}${option}`,
    target,
  )
  const message = `Only ${used} are registered, but in pre-live each type must be registered in both generations`
  return [
    {
      ...warning('registrations', message, `register ${other} with "${register}"`),
      source: BOTH_GENERATIONS,
    },
  ]
}
