import { Dialog } from '../parts/dialog.tsx'
import { keyName } from '../parts/key-name.ts'
import { useApp } from '../parts/use-app.ts'
import { MarkShape } from '../timeline/mark-shape.tsx'

const LEGEND = [
  ['delivered', 'an attempt that was delivered'],
  ['failed', 'an attempt that failed'],
  ['due', 'when the next attempt is due'],
  ['waiting', 'how long retries go on'],
  ['call', 'a call of the service about the object'],
] as const

/** What the keys do where it was opened, and what the marks mean. */
export function Help() {
  const { keys } = useApp()
  return (
    <Dialog label="Keys" class="help">
      <h2>Keys</h2>
      <dl>
        {keys.bound.value.map(({ key, about }) => (
          <div key={key}>
            <dt>
              <kbd>{keyName(key)}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <h2>The timeline</h2>
      <dl>
        {LEGEND.map(([kind, about]) => (
          <div key={kind}>
            <dt>
              <svg width="26" height="26" aria-hidden="true">
                <MarkShape kind={kind} x={13} end={24} title="" jobId={undefined} isChosen={false} />
              </svg>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
