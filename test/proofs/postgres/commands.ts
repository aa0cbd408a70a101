import * as fc from 'fast-check'

/** What may happen to a world that two nodes write by turns, each through a proxy of its own. */
export type Command =
  | { readonly do: 'append' | 'replace'; readonly node: NodeName; readonly count: number }
  | { readonly do: 'checkpoint' | 'take' | 'reopen' | 'settle'; readonly node: NodeName }
  | { readonly do: 'cut' | 'refuse' | 'swallow' | 'hold' | 'open'; readonly node: NodeName }
  | { readonly do: 'delay'; readonly node: NodeName; readonly ms: number }

export type NodeName = 'one' | 'two'

const node = fc.constantFrom<NodeName>('one', 'two')
const count = fc.integer({ min: 1, max: 5 })

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('append' as const), node, count }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), node, count }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('settle' as const), node }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('checkpoint' as const, 'take', 'take', 'reopen'), node }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('cut' as const, 'refuse', 'swallow', 'hold', 'open', 'open', 'open'),
      node,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('delay' as const), node, ms: fc.constantFrom(0, 0, 2, 20) }),
  },
)

export const commands = fc.array(command, { minLength: 5, maxLength: 40 })
