import { expect, test } from 'vitest'
import { layOutStates } from '../../../../sandbox/dashboard/world/diagram.ts'

const move = (from: string | null, to: string) => ({ from, to, trigger: 'something' })

test('layOutStates() puts a state to the right of its predecessors', () => {
  const transitions = [
    move(null, 'sent'),
    move(null, 'failed'),
    move('sent', 'failed'),
    move('sent', 'settled'),
  ]
  const { nodes, edges } = layOutStates(transitions)

  const xOf = (state: string | null) => nodes.find((node) => node.state === state)?.x ?? -1
  expect(xOf(null)).toBeLessThan(xOf('sent'))
  expect(xOf('sent')).toBeLessThan(xOf('failed'))
  expect(xOf('failed')).toBe(xOf('settled'))
  expect(edges.length).toBe(4)
})

test('layOutStates() starts with the states without predecessors', () => {
  const transitions = [move('waiting', 'active'), move('waiting', 'failed')]

  const { nodes } = layOutStates(transitions)

  const [first, ...others] = nodes
  expect(first?.state).toBe('waiting')
  expect(others.every(({ x }) => x > (first?.x ?? 0))).toBe(true)
  expect(others.map(({ state }) => state)).toEqual(['active', 'failed'])
})

test('layOutStates() places circular moves', () => {
  const transitions = [move(null, 'a'), move('a', 'b'), move('b', 'a')]

  const { nodes, width } = layOutStates(transitions)

  expect(new Set(nodes.map(({ state }) => state))).toEqual(new Set(['a', 'b', null]))
  expect(Number.isFinite(width)).toBe(true)
})
