import type { ObjectDescription } from '../../../spec/generated/control-types.ts'
import { layOutStates, NODE_HEIGHT } from './diagram.ts'

/** The states of an object. The present and the next states are marked. */
export function StateDiagram({ description }: { readonly description: ObjectDescription }) {
  const { state, next } = description
  const { width, height, nodes, edges } = layOutStates(description)
  if (nodes.length === 0) return null
  const label = `State ${state ?? 'not shown'}; it can go to ${next.length === 0 ? 'no other' : next.join(', ')}`
  return (
    <div class="diagram" tabIndex={0} role="group" aria-label="States">
      <svg width={width} height={height} role="img" aria-label={label}>
        {edges.map((d, index) => (
          <path key={index} d={d} />
        ))}
        {nodes.map((node) => (
          <g
            key={node.state}
            class={node.state === state ? 'lit' : next.includes(node.state ?? '') ? 'next' : ''}
          >
            {node.state === null ? (
              <circle cx={node.x + node.width / 2} cy={node.y + NODE_HEIGHT / 2} r={node.width / 2} />
            ) : (
              <>
                <rect x={node.x} y={node.y} width={node.width} height={NODE_HEIGHT} rx={5} />
                <text x={node.x + node.width / 2} y={node.y + 16}>
                  {node.state}
                </text>
              </>
            )}
          </g>
        ))}
      </svg>
    </div>
  )
}
