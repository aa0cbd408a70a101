import type { TargetedPointerEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { exact } from '../parts/exact-text.tsx'
import { CopyButtons } from '../parts/act-button.tsx'
import { keyName } from '../parts/names.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import type { KeyBinding } from '../state/keys.ts'
import { isDuplicated, describeChip, MARKS, moveChip, toggleMark, toggleTwice } from './order.ts'
import type { WhatIf } from './what-if-state.ts'

export function Editor(state: WhatIf) {
  const { command = '', obstacle } = state.preview.value ?? {}
  return (
    <>
      <p class="dim">
        Drag the deliveries into another order, or select a delivery with ← → and change it. Then the sandbox
        plays the payment again with new objects, and notifies your receiver in this order.
      </p>
      <Chips {...state} />
      <Acts {...state} />
      <pre aria-label="Command that repeats the order in a terminal">{exact(command)}</pre>
      {obstacle && <p class="due">Only its answers can be judged: {exact(obstacle)}</p>}
    </>
  )
}

function Chips(state: WhatIf) {
  const { order, chosen, choose, find, run, isRunning } = state
  const { done = 0, total = null } = run.value?.progress ?? {}
  // Shows no progress while the run searches for a shorter order, because the number of steps is unknown.
  const sent = isRunning.value && total !== null ? done : 0
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // Restores the focus, because a moved element loses the focus in the browser.
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
      aria-label="Deliveries in the order of sending"
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
            <span class="mono dim">
              @{index + 1}
              {chip.number !== index + 1 && `, documented as ${chip.number}`}
            </span>{' '}
            <b>{find(chip)?.object_type}</b> <span>{find(chip)?.state ?? chip.number}</span>
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

/** Returns the pointer event handlers for dragging chips. The list handles these events, because chips move during a drag. */
function useDrag({ order, chosen, choose, drag, edit }: WhatIf) {
  /** The initial position of the dragged chip. Undefined if no chip is dragged. */
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
      // Ignores a touch outside the handle, because such a touch scrolls the page.
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

interface Act extends KeyBinding {
  /** True if the switch is on. Undefined if the button is not a switch. */
  readonly isOn?: boolean | undefined
  readonly disabled?: boolean
}

function Acts(state: WhatIf) {
  const { chosen, nameOf, step, ask } = state
  const [own, whole] = [listChipActs(state), useOrderActs(state)]
  useKeys([
    ...['ArrowRight', 'ArrowDown'].map((key) => ({ key, about: 'next delivery', run: () => step(1) })),
    ...['ArrowLeft', 'ArrowUp'].map((key) => ({ key, about: 'previous delivery', run: () => step(-1) })),
    ...own,
    ...whole,
  ])
  return (
    <>
      <div class="actions" role="toolbar" aria-label={`Delivery of ${chosen.value && nameOf(chosen.value)}`}>
        {own.map(toButton)}
      </div>
      <div class="actions">
        {whole.map(toButton)}
        <CopyButtons
          texts={[
            ['hookbench', async () => (await ask()).command],
            ['vitest', async () => (await ask()).test],
          ]}
        />
      </div>
    </>
  )
}

function toButton({ key, about, isOn, disabled, run }: Act) {
  return (
    <button
      key={key}
      type="button"
      class={key === 'Enter' ? 'main' : ''}
      aria-pressed={isOn}
      disabled={disabled}
      onClick={({ currentTarget, detail }) => {
        // Removes the focus after a mouse click. Otherwise, Enter would click this button again instead of playing the order.
        if (detail > 0) currentTarget.blur()
        run()
      }}
    >
      <kbd aria-hidden="true">{keyName(key)}</kbd> {about}
    </button>
  )
}

function listChipActs({ order, chosen, edit }: WhatIf): readonly Act[] {
  const [all, chip] = [order.value, chosen.value]
  const move = (by: number) => edit((each, moved) => moveChip(each, moved, each.indexOf(moved) + by))
  return [
    { key: 'Shift-ArrowLeft', about: 'comes earlier', disabled: chip === all[0], run: () => move(-1) },
    { key: 'Shift-ArrowRight', about: 'comes later', disabled: chip === all.at(-1), run: () => move(1) },
    { key: 'd', about: 'comes twice', isOn: chip && isDuplicated(all, chip), run: () => edit(toggleTwice) },
    ...MARKS.map(([key, _, about]) => ({
      key,
      about,
      isOn: chip?.marks.includes(key),
      run: () => edit((each, marked) => toggleMark(each, marked, key)),
    })),
  ]
}

function useOrderActs({ isRunning, isCurrent, result, run, play, show }: WhatIf): readonly Act[] {
  const { leave } = useApp()
  const canShrink = isCurrent.value && result.value?.verdict === 'failed' && !run.value?.rehearsal?.shortest
  return [
    { key: 'Enter', about: 'Play it', disabled: isRunning.value, run: () => play(false) },
    { key: 's', about: 'Shrink it', disabled: !canShrink, run: () => canShrink && play(true) },
    { key: '0', about: 'As documented', run: () => show('') },
    { key: 'Escape', about: 'Leave', run: leave },
  ]
}
