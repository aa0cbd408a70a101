import { expect, test } from 'vitest'
import { createKeys } from '../../../../sandbox/dashboard/state/keys.ts'

test('a key runs its newest binding until the binding is removed', () => {
  const keys = createKeys()
  const pressed: string[] = []
  const binding = (key: string, about: string) => ({ key, about, run: () => pressed.push(about) })
  keys.bind([binding('Escape', 'below'), binding('j', 'next')])
  const unbind = keys.bind([binding('Escape', 'above')])

  const listed = keys.bound.value.map(({ about }) => about).toSorted()
  const known = [keys.press('Escape'), keys.press('j'), keys.press('x')]
  unbind()
  keys.press('Escape')

  expect(listed).toEqual(['above', 'next'])
  expect(known).toEqual([true, true, false])
  expect(pressed).toEqual(['above', 'next', 'below'])
})

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
