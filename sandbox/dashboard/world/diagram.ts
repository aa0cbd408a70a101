import type { ObjectDescription } from '../../../spec/generated/control-types.ts'

interface DiagramNode {
  /** The state. Null for the creation. */
  readonly state: string | null
  readonly x: number
  readonly y: number
  readonly width: number
}

type Transitions = NonNullable<ObjectDescription['transitions']>

export const NODE_HEIGHT = 24
const [LETTER, PADDING, GAP, WIDE_GAP, START] = [6.7, 16, 8, 32, 12]

/** Places states in columns. Each state is to the right of its predecessors. Edges are SVG paths. */
export function layOutStates(transitions: Transitions) {
  const columns = rankStates(transitions)
  const widths = columns.map((column) => Math.max(0, ...column.map(widthOf)))
  const nodes = columns.flatMap((column, index) => {
    const x = widths.slice(0, index).reduce((sum, width) => sum + width + WIDE_GAP, 1)
    return column.map((state, row): DiagramNode => {
      return { state, x, y: 1 + row * (NODE_HEIGHT + GAP), width: widths[index] ?? 0 }
    })
  })
  const find = (state: string | null) => nodes.find((node) => node.state === state)
  return {
    nodes,
    edges: transitions.map(({ from, to }) => drawEdge(find(from), find(to))),
    width: Math.max(0, ...nodes.map(({ x, width }) => x + width)) + 1,
    height: Math.max(0, ...nodes.map(({ y }) => y + NODE_HEIGHT)) + 1,
  }
}

const widthOf = (state: string | null) =>
  state === null ? START : Math.round(state.length * LETTER + PADDING)

/** Ranks each state after its last predecessor. Ignores ways back. */
function rankStates(transitions: Transitions): (string | null)[][] {
  const ranks = new Map(transitions.flatMap(({ from, to }) => [from, to]).map((state) => [state, 0]))
  for (let round = 0; round < transitions.length; round++) {
    for (const { from, to } of transitions) {
      const rank = (ranks.get(from) ?? 0) + 1
      if (rank > (ranks.get(to) ?? 0) && rank <= transitions.length) ranks.set(to, rank)
    }
  }
  const columns = Map.groupBy(ranks, ([, rank]) => rank)
  return [...columns]
    .toSorted(([first], [second]) => first - second)
    .map(([, column]) => column.map(([state]) => state))
}

function drawEdge(from: DiagramNode | undefined, to: DiagramNode | undefined): string {
  if (!from || !to) return ''
  const [startX, startY, endY] = [from.x + from.width, from.y + NODE_HEIGHT / 2, to.y + NODE_HEIGHT / 2]
  const bend = WIDE_GAP / 2
  return `M${startX} ${startY}C${startX + bend} ${startY} ${to.x - bend} ${endY} ${to.x} ${endY}`
}
