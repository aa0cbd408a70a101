import { CopyButtons } from '../parts/act-button.tsx'
import { keyName } from '../parts/names.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import type { KeyBinding } from '../state/keys.ts'
import { comesTwice, MARKS, moveChip, toggleMark, toggleTwice } from './order.ts'
import type { WhatIf } from './what-if-state.ts'

interface Act extends KeyBinding {
  /** For a switch. */
  readonly isOn?: boolean | undefined
  readonly disabled?: boolean
}

/** The actions for the chosen delivery and for the order. */
export function Acts(state: WhatIf) {
  const { chosen, nameOf, step, ask } = state
  const [own, whole] = [listChipActs(state), useOrderActs(state)]
  useKeys([
    { key: 'ArrowRight', about: 'next delivery', run: () => step(1) },
    { key: 'ArrowLeft', about: 'previous delivery', run: () => step(-1) },
    { key: 'ArrowDown', about: 'next delivery', run: () => step(1) },
    { key: 'ArrowUp', about: 'previous delivery', run: () => step(-1) },
    ...own,
    ...whole,
  ])
  return (
    <>
      <div
        class="actions"
        role="toolbar"
        aria-label={`What becomes of ${chosen.value && nameOf(chosen.value)}`}
      >
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
      onClick={run}
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
    { key: 'd', about: 'comes twice', isOn: chip && comesTwice(all, chip), run: () => edit(toggleTwice) },
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
