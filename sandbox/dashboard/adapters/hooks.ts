import { addHook, drawAgain, type DrawnComponent } from './component-hooks.ts'

/**
 * State, values and effects of a component. The build puts this module in place of `preact/hooks`, which does the same, and has effects
 * that wait for the picture, reducers and contexts, too, which nothing here uses: it is three times as large.
 */
interface Kept {
  /** What its hooks keep from picture to picture, in their order. */
  refs?: Ref<unknown>[]
  effects?: Effect[]
}

interface Ref<Value> {
  current: Value
}

type Values = readonly unknown[]

interface Effect {
  values?: Values | undefined
  end?: (() => void) | void
}

let drawn: DrawnComponent & Kept
let place = 0

addHook<Kept>('__r', ({ __c: component }) => {
  if (component) [drawn, place] = [component, 0]
})
addHook<Kept>('unmount', ({ __c: component }) => component?.effects?.forEach(({ end }) => end?.()))

export function useRef<Value>(current: Value): Ref<Value> {
  const refs = (drawn.refs ??= [])
  return (refs[place++] ??= { current }) as Ref<Value>
}

export function useMemo<Value>(create: () => Value, values: Values): Value {
  const kept = useRef<{ readonly value: Value; readonly values: Values } | undefined>(undefined)
  if (!kept.current || areOther(kept.current.values, values)) kept.current = { value: create(), values }
  return kept.current.value
}

type Change<State> = (state: State) => State

export function useState<State>(first: State) {
  const component = drawn
  const kept = useRef(first)
  const set = useMemo(
    () => (next: State | Change<State>) => {
      const state = typeof next === 'function' ? (next as Change<State>)(kept.current) : next
      if (Object.is(state, kept.current)) return
      kept.current = state
      drawAgain(component)
    },
    [],
  )
  return [kept.current, set] as const
}

/** Begins once what is drawn is in the page, and again where the values are other ones or left out; before that, and at last, it ends. */
export function useLayoutEffect(begin: () => void | (() => void), values?: Values): void {
  const component = drawn
  const effect = useMemo(() => {
    const created: Effect = {}
    ;(component.effects ??= []).push(created)
    return created
  }, [])
  if (!areOther(effect.values, values)) return
  effect.values = values
  const { __h: callbacks } = component
  callbacks.push(() => {
    effect.end?.()
    effect.end = begin()
  })
}

function areOther(before: Values | undefined, values: Values | undefined): boolean {
  return !before || !values || values.some((value, index) => !Object.is(value, before[index]))
}
