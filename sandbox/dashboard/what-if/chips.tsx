import type { TargetedPointerEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { describeChip } from './order.ts'
import type { WhatIf } from './what-if-state.ts'

/** The deliveries in order. A handle or the mouse drags a chip. */
export function Chips(state: WhatIf) {
  const { order, chosen, choose, find, run, isRunning } = state
  const { done = 0, total = null } = run.value?.progress ?? {}
  // A search for a shorter order has no known total.
  const sent = isRunning.value && total !== null ? done : 0
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // A moved element loses the focus.
    const { current } = list
    const focused = current?.ownerDocument.activeElement
    if (!focused || focused.matches('body') || current.contains(focused))
      current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [order.value, chosen.value])
  return (
    <div
      ref={list}
      class="order"
      role="listbox"
      aria-label="Deliveries in their order"
      aria-orientation="horizontal"
      {...useDrag(state)}
    >
      {order.value.map((chip, index) => {
        const isChosen = chip === chosen.value
        return (
          <div
            key={chip.id}
            role="option"
            class={`${chip.marks.includes('x') ? 'lost' : ''}${index < sent ? ' sent' : ''}`}
            aria-selected={isChosen}
            tabIndex={isChosen ? 0 : -1}
            onClick={() => choose(chip)}
          >
            <span class="grip dim" aria-hidden="true">
              ⠿
            </span>
            <span class="mono dim">@{index + 1}</span> <b>{find(chip)?.object_type}</b>{' '}
            <span>{find(chip)?.state ?? chip.number}</span>
            {describeChip(order.value, chip).map((text) => (
              <i key={text}>{text}</i>
            ))}
          </div>
        )
      })}
    </div>
  )
}

type ListEvent = TargetedPointerEvent<HTMLDivElement>

/** The list handles the pointer, because chips move during a drag. */
function useDrag({ order, chosen, choose, drag, edit }: WhatIf) {
  /** The chip's first place. Undefined without a drag. */
  const from = useRef<number | undefined>(undefined)
  const place = () => order.value.findIndex((chip) => chip === chosen.value)
  const placeAt = ({ currentTarget, clientX, clientY }: ListEvent) =>
    [...currentTarget.children].findIndex((child) => {
      const { left, right, top, bottom } = child.getBoundingClientRect()
      return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
    })
  return {
    onPointerDown(event: ListEvent) {
      const { target, button, pointerType, pointerId, currentTarget } = event
      const isGrip = target instanceof Element && target.matches('.grip')
      // A finger outside the handle scrolls the page.
      if (button !== 0 || (pointerType === 'touch' && !isGrip) || placeAt(event) === -1) return
      event.preventDefault()
      choose(order.value[placeAt(event)])
      from.current = place()
      currentTarget.setPointerCapture(pointerId)
    },
    onPointerMove(event: ListEvent) {
      if (from.current !== undefined && placeAt(event) !== -1) drag(placeAt(event))
    },
    onPointerUp() {
      if (from.current !== undefined && place() !== from.current) edit((all) => all)
      from.current = undefined
    },
    onPointerCancel() {
      if (from.current !== undefined) drag(from.current)
      from.current = undefined
    },
  }
}
