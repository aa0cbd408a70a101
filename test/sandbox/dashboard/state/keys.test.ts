import { expect, test } from 'vitest'
import { createKeys } from '../../../../sandbox/dashboard/state/keys.ts'

test('an updated key binding still has lower priority than bindings that were added later', () => {
  const keys = createKeys()
  const pressed: string[] = []
  const binding = (about: string) => [{ key: 'Escape', about, run: () => pressed.push(about) }]
  const owner = {}
  keys.bind(binding('below'), owner)
  const unbind = keys.bind(binding('above'))
  const end = keys.bind(binding('below, drawn again'), owner)

  keys.press('Escape')
  unbind()
  keys.press('Escape')
  end()

  expect(pressed).toEqual(['above', 'below, drawn again'])
  expect(keys.press('Escape')).toBe(false)
})
