import { Dialog } from '../parts/dialog.tsx'
import { keyName } from '../parts/key-name.ts'
import { useApp } from '../parts/use-app.ts'

/** The keys of the present screen. */
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
    </Dialog>
  )
}
