import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useApp, useKeys } from './use-app.ts'

interface DialogProps {
  readonly label: string
  readonly class: string
  readonly children: ComponentChildren
}

/** Lies over the page, which cannot be reached meanwhile; Escape and a click beside it close it. */
export function Dialog({ label, class: name, children }: DialogProps) {
  const { show } = useApp()
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = element
    current?.showModal()
    // However it is closed, this gives the focus back to what had it.
    return () => current?.close()
  }, [])
  const close = () => show(undefined)
  useKeys([{ key: 'Escape', about: 'close', run: close }])
  return (
    <dialog
      ref={element}
      class={name}
      aria-label={label}
      // Where it is higher than the window, the arrow keys scroll it.
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
