import { expect, test } from 'vitest'
import { layOutStates } from '../../../../sandbox/dashboard/world/diagram.ts'

const stated = { source: '§3', reading: null }
const toStates = (names: readonly string[]) => names.map((state) => ({ state, code: null, mark: stated }))
const move = (from: string | null, to: string) => ({ from, to, trigger: 'something' })

test('a state is right of every predecessor, also over longer ways', () => {
  const transitions = [
    move(null, 'sent'),
    move(null, 'failed'),
    move('sent', 'failed'),
    move('sent', 'settled'),
  ]
  const { nodes, edges } = layOutStates({ states: toStates(['sent', 'failed', 'settled']), transitions })

  const xOf = (state: string | null) => nodes.find((node) => node.state === state)?.x ?? -1
  expect(xOf(null)).toBeLessThan(xOf('sent'))
  expect(xOf('sent')).toBeLessThan(xOf('failed'))
  expect(xOf('failed')).toBe(xOf('settled'))
  expect(edges.length).toBe(4)
})

test('without a documented creation, the first column has the states without predecessors', () => {
  const transitions = [move('waiting', 'active'), move('waiting', 'failed')]

  const { nodes } = layOutStates({ states: toStates(['waiting', 'active', 'failed']), transitions })

  const [first, ...others] = nodes
  expect(first?.state).toBe('waiting')
  expect(others.every(({ x }) => x > (first?.x ?? 0))).toBe(true)
  expect(others.map(({ state }) => state)).toEqual(['active', 'failed'])
})

test('circular moves have a layout', () => {
  const transitions = [move(null, 'a'), move('a', 'b'), move('b', 'a')]

  const { nodes, width } = layOutStates({ states: toStates(['a', 'b']), transitions })

  expect(new Set(nodes.map(({ state }) => state))).toEqual(new Set(['a', 'b', null]))
  expect(Number.isFinite(width)).toBe(true)
})

test('without documented moves, every state has its own place and no arrows', () => {
  const names = ['one', 'two', 'three', 'four', 'five']

  const { nodes, edges, width, height } = layOutStates({ states: toStates(names), transitions: null })

  expect(new Set(nodes.map(({ state }) => state))).toEqual(new Set(names))
  expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(5)
  expect(edges).toEqual([])
  expect(nodes.every((node) => node.x + node.width < width && node.y < height)).toBe(true)
})

test('a type without states has no diagram', () => {
  expect(layOutStates({ states: [], transitions: null }).nodes).toEqual([])
})
