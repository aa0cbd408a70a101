import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useApp, useKeys } from './use-app.ts'

interface PaneProps {
  readonly label: string
  readonly onClose?: () => void
  readonly children: ComponentChildren
}

/** A pane with details next to a list. While the page shows the past, Escape returns to the present instead of closing the pane. */
export function Pane({ label, onClose, children }: PaneProps) {
  const isPast = useApp().rewind.isPast.value
  const close = `Close the ${label.toLowerCase()}`
  useKeys(onClose && !isPast ? [{ key: 'Escape', about: close.toLowerCase(), run: onClose }] : [])
  return (
    <aside class="pane" aria-label={label} tabIndex={0}>
      {onClose && (
        <button type="button" class="close" aria-label={close} onClick={onClose}>
          ×
        </button>
      )}
      {children}
    </aside>
  )
}

interface DialogProps {
  readonly label: string
  readonly class: string
  readonly children: ComponentChildren
}

export function Dialog({ label, class: name, children }: DialogProps) {
  const { show } = useApp()
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = element
    current?.showModal()
    // Closing the dialog returns the focus to the previous element.
    return () => current?.close()
  }, [])
  const close = () => show(undefined)
  useKeys([{ key: 'Escape', about: 'close', run: close }])
  return (
    <dialog
      ref={element}
      class={name}
      aria-label={label}
      // The dialog is focusable, so that the arrow keys scroll its content.
      tabIndex={0}
      onCancel={close}
      onClick={({ target }) => {
        if (target === element.current) close()
      }}
    >
      {children}
    </dialog>
  )
}
