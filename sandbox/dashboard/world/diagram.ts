import type { ObjectDescription } from '../../../spec/generated/control-types.ts'

/** The layout of an object's states and transitions. */
export interface Diagram {
  readonly width: number
  readonly height: number
  readonly nodes: readonly DiagramNode[]
  /** SVG paths. */
  readonly edges: readonly string[]
}

export interface DiagramNode {
  /** Null for the creation. */
  readonly state: string | null
  readonly x: number
  readonly y: number
  readonly width: number
}

export const NODE_HEIGHT = 24
const [LETTER, PADDING, GAP, WIDE_GAP, START] = [6.7, 16, 8, 32, 12]
const GRID_COLUMNS = 3

/** Places states in columns, each right of its predecessors. A grid if the document shows no transitions. */
export function layOutStates({
  states,
  transitions,
}: Pick<ObjectDescription, 'states' | 'transitions'>): Diagram {
  const columns = transitions
    ? rankStates(transitions)
    : Array.from({ length: GRID_COLUMNS }, (_, column) =>
        states.map(({ state }) => state).filter((_state, index) => index % GRID_COLUMNS === column),
      )
  const gap = transitions ? WIDE_GAP : GAP
  const widths = columns.map((column) => Math.max(0, ...column.map(widthOf)))
  const nodes = columns.flatMap((column, index) => {
    const x = widths.slice(0, index).reduce((sum, width) => sum + width + gap, 1)
    return column.map((state, row): DiagramNode => {
      return { state, x, y: 1 + row * (NODE_HEIGHT + GAP), width: widths[index] ?? 0 }
    })
  })
  return {
    nodes,
    edges: (transitions ?? []).map(({ from, to }) => drawEdge(findNode(nodes, from), findNode(nodes, to))),
    width: Math.max(0, ...nodes.map(({ x, width }) => x + width)) + 1,
    height: Math.max(0, ...nodes.map(({ y }) => y + NODE_HEIGHT)) + 1,
  }
}

const widthOf = (state: string | null) =>
  state === null ? START : Math.round(state.length * LETTER + PADDING)

type Transitions = NonNullable<ObjectDescription['transitions']>

/** Ranks each state after its last predecessor. A way back counts nothing. */
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

function findNode(nodes: readonly DiagramNode[], state: string | null): DiagramNode {
  return nodes.find((node) => node.state === state) ?? { state, x: 0, y: 0, width: 0 }
}

function drawEdge(from: DiagramNode, to: DiagramNode): string {
  const [startX, startY, endX, endY] = [
    from.x + from.width,
    from.y + NODE_HEIGHT / 2,
    to.x,
    to.y + NODE_HEIGHT / 2,
  ]
  const bend = WIDE_GAP / 2
  return `M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`
}
