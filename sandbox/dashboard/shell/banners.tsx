import { commandLine } from '../../engine/core/command-line.ts'
import { useApp } from '../parts/use-app.ts'

/** Reports an unreachable sandbox, and a run that uses the world. */
export function Banners() {
  const { stream, target, worldUse } = useApp()
  const use = worldUse.rows.value
  return (
    <>
      {stream.value.kind === 'cut' && (
        <p class="banner offline" role="alert">
          <b>The sandbox does not answer.</b> This page shows the last known state and connects by itself.
          Start the sandbox with <code>{commandLine('up', target.value)}</code>
        </p>
      )}
      {use && (
        <p class="banner" role="status">
          <b>{use.about} is running in this world.</b> The world is restored at the end, so changes that you
          make now are lost.
        </p>
      )}
    </>
  )
}
