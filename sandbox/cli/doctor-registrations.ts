import type { RegistrationRecord } from '../../spec/generated/control-types.ts'
import { callbackTypes, type Generation } from '../../spec/delivery.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { commandLine } from '../adapters/command-line.ts'
import { fine, problem, warning, type Finding } from './finding.ts'

const WORDS = { webhooks: 'webhook', callbacks: 'callback' } as const

/** Whether each notified type reaches somebody, by callbacks too once they are used. Sources: §1, §7 */
export function registrationFindings(
  registrations: readonly RegistrationRecord[],
  list: 'current' | 'earlier',
  folder: string,
): Finding[] {
  if (!registrations.some(({ enabled }) => enabled)) {
    const message = 'Nobody is notified: no registration is enabled'
    const register = commandLine('register URL --type items', folder)
    return [problem('registrations', message, `register with "${register}"`)]
  }
  const callbacks = registrations.some(({ generation }) => generation === 'callbacks')
  const called: readonly string[] = callbacks ? callbackTypes(list) : []
  return notifiedTypes.map((type) => {
    const generations: readonly Generation[] = called.includes(type)
      ? ['webhooks', 'callbacks']
      : ['webhooks']
    const ofType = registrations.filter(({ object_type }) => object_type === type)
    const missing = generations.find((each) => !isEnabled(each, ofType))
    if (missing !== undefined) {
      const states = generations.flatMap((each) => (isEnabled(each, ofType) ? [] : stateText(each, ofType)))
      const remedy = enableRemedy(type, missing, { registrations: ofType, folder })
      return warning('registrations', `${type}: ${states.join(', ')}`, remedy)
    }
    const enabled = ofType.filter((each) => each.enabled).map(({ generation }) => WORDS[generation])
    return fine('registrations', `${type}: ${enabled.join(' and ')} enabled`)
  })
}

function isEnabled(generation: Generation, registrations: readonly RegistrationRecord[]): boolean {
  return registrations.some((each) => each.enabled && each.generation === generation)
}

function stateText(generation: Generation, registrations: readonly RegistrationRecord[]): string {
  return registrations.some((each) => each.generation === generation)
    ? `its ${WORDS[generation]} is disabled`
    : `no ${WORDS[generation]} is registered`
}

interface Present {
  readonly registrations: readonly RegistrationRecord[]
  readonly folder: string
}

function enableRemedy(type: string, generation: Generation, { registrations, folder }: Present): string {
  const option = generation === 'callbacks' ? ' --generation callbacks' : ''
  const register = `register with "${commandLine(`register URL --type ${type}${option}`, folder)}"`
  const disabled = registrations.find((each) => each.generation === generation)
  return disabled
    ? `enable it with "${commandLine(`enable ${disabled.id}`, folder)}", or ${register}`
    : register
}
