import { useState } from 'preact/hooks'
import { Dialog } from '../parts/pane.tsx'
import { PresentOnly } from '../parts/presence.tsx'
import { useApp, useListing } from '../parts/use-app.ts'
import { FaultCard, kindName } from './fault-cards.tsx'
import { useFindCommand } from './use-find-command.ts'

/** A form for any kind of fault. */
export function FaultDialog() {
  const { perform, faults } = useApp()
  const list = useListing(() => perform('listFaultKinds'), [])
  const find = useFindCommand()
  const [chosen, setChosen] = useState('')
  const kinds = list?.kinds ?? []
  const info = kinds.find((each) => kindName(each) === chosen) ?? kinds[0]
  return (
    <Dialog label="Faults" class="palette">
      <div class="command">
        <select
          aria-label="What goes wrong"
          value={info && kindName(info)}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {kinds.map((each) => (
            <option key={kindName(each)}>{kindName(each)}</option>
          ))}
        </select>
        {info && find && (
          <PresentOnly>
            <FaultCard
              key={kindName(info)}
              info={info}
              faults={(faults.rows.value ?? []).filter(
                ({ on, kind }) => on === info.on && kind === info.kind,
              )}
              isChosen={false}
              find={find}
            />
          </PresentOnly>
        )}
      </div>{' '}
    </Dialog>
  )
}
