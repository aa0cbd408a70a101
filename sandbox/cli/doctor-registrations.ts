import type { RegistrationRecord } from '../../spec/generated/control-types.ts'
import { callbackTypes, type Generation } from '../../spec/delivery.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { fine, problem, warning, type Finding } from './finding.ts'

const WORDS = { webhooks: 'webhook', callbacks: 'callback' } as const

/** Whether each notified type reaches somebody, by callbacks too once they are used. Sources: §1, §7 */
export function registrationFindings(
  registrations: readonly RegistrationRecord[],
  list: 'current' | 'earlier',
): Finding[] {
  if (!registrations.some(({ enabled }) => enabled)) {
    const message = 'Nobody is notified: no registration is enabled'
    return [problem('registrations', message, 'register with "npx hookbench register URL --type items"')]
  }
  const callbacks = registrations.some(({ generation }) => generation === 'callbacks')
  const called: readonly string[] = callbacks ? callbackTypes(list) : []
  return notifiedTypes.map((type) => {
    const generations: readonly Generation[] = called.includes(type)
      ? ['webhooks', 'callbacks']
      : ['webhooks']
    return typeFinding(
      type,
      generations,
      registrations.filter(({ object_type }) => object_type === type),
    )
  })
}

function typeFinding(
  type: string,
  generations: readonly Generation[],
  registrations: readonly RegistrationRecord[],
): Finding {
  const enabled = registrations.filter((each) => each.enabled)
  const lacking = generations.filter((each) => !enabled.some(({ generation }) => generation === each))
  const [first] = lacking
  if (first === undefined) {
    return fine(
      'registrations',
      `${type}: ${enabled.map(({ generation }) => WORDS[generation]).join(' and ')} enabled`,
    )
  }
  const states = lacking.map((each) => {
    const disabled = registrations.some(({ generation }) => generation === each)
    return disabled ? `its ${WORDS[each]} is disabled` : `no ${WORDS[each]} is registered`
  })
  const option = first === 'callbacks' ? ' --generation callbacks' : ''
  const register = `register with "npx hookbench register URL --type ${type}${option}"`
  const off = registrations.find(({ generation }) => generation === first)
  const remedy = off ? `enable it with "npx hookbench enable ${off.id}", or ${register}` : register
  return warning('registrations', `${type}: ${states.join(', ')}`, remedy)
}
