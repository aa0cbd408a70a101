import { Component, options, type VNode } from 'preact'
import { expect, test } from 'vitest'
import { useLayoutEffect, useMemo, useRef, useState } from '../../../../sandbox/dashboard/adapters/hooks.ts'

/** What Preact calls of `options`, by the names that it has for packages. */
const preact: Record<string, ((node: VNode) => void) | undefined> = Object(options)

/** A component as Preact draws it: what it does once it is in the page is kept in `__h`. */
class Drawn<Shown> extends Component {
  readonly __h: (() => void)[] = []
  readonly #node: VNode
  readonly #draw: () => Shown
  wanted = 0

  constructor(draw: () => Shown) {
    super({})
    this.#draw = draw
    this.#node = Object({ type: draw, props: {}, __c: this })
  }

  override setState(): void {
    this.wanted++
  }

  override render() {
    return null
  }

  draw(): Shown {
    preact['__r']?.(this.#node)
    const shown = this.#draw()
    preact['diffed']?.(this.#node)
    const { __h: callbacks } = this
    for (const run of callbacks.splice(0)) run()
    return shown
  }

  remove(): void {
    preact['unmount']?.(this.#node)
  }
}

test('a state is kept from picture to picture, and another one asks for a picture', () => {
  const component = new Drawn(() => [useState(1), useState('a')] as const)
  const [[number, setNumber], [, setLetter]] = component.draw()

  setNumber((before) => before + 1)
  setNumber((before) => before + 1)
  setLetter('a')

  const [[after, setAfter], [letter]] = component.draw()
  expect([number, after, letter, component.wanted]).toEqual([1, 3, 'a', 2])
  expect(setAfter).toBe(setNumber)
})

test('two components keep what is their own', () => {
  const [one, other] = [new Drawn(() => useRef(0)), new Drawn(() => useRef(0))]
  one.draw().current = 7

  expect([other.draw().current, one.draw().current]).toEqual([0, 7])
})

test('a value is made again only for other values', () => {
  let [key, made] = ['a', 0]
  const component = new Drawn(() => useMemo(() => `${key}${++made}`, [key]))

  const shown = [component.draw(), component.draw()]
  key = 'b'

  expect([...shown, component.draw()]).toEqual(['a1', 'a1', 'b2'])
})

test('an effect begins once it is in the page, ends before it begins again, and ends at last', () => {
  const said: string[] = []
  let key = 'a'
  const say = (name: string) => {
    said.push(`${name} begins`)
    return () => void said.push(`${name} ends`)
  }
  const component = new Drawn(() => {
    useLayoutEffect(() => say(key), [key])
    useLayoutEffect(() => void said.push('drawn'))
  })

  component.draw()
  component.draw()
  key = 'b'
  component.draw()
  component.remove()

  expect(said).toEqual(['a begins', 'drawn', 'drawn', 'a ends', 'b begins', 'drawn', 'b ends'])
})
