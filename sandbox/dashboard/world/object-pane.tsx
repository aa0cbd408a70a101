import { useLayoutEffect } from 'preact/hooks'
import type { ObjectDescription, ReadingList, SpecMark } from '../../../spec/generated/control-types.ts'
import { exact } from '../parts/exact-text.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Absent, PresentOnly } from '../parts/presence.tsx'
import { Table } from '../parts/table.tsx'
import { useApp, useListing, useObject } from '../parts/use-app.ts'
import { WhatIfButton } from '../parts/what-if-button.tsx'

export function ObjectPane({ type, id }: { readonly type: string; readonly id: string }) {
  const { perform, selection } = useApp()
  const description = useObject(
    () => perform('describeObject', { path: { type, id } }),
    ['object', 'readings'],
  )
  const list = useListing(() => perform('listReadings'), ['readings'])
  const paymentId = description?.payment_id ?? null
  useLayoutEffect(() => {
    selection.value = { paymentId: paymentId ?? undefined }
  }, [paymentId])
  if (!description) return <Absent what="object" value={description} />
  const readings = list?.readings ?? []
  const { moves, revision, state } = description
  return (
    <article class="details">
      <header>
        <h2>
          {type} {state !== null && exact(state)}
        </h2>
        <p class="mono">{exact(description.id)}</p>
        <p class="dim">revision {revision}</p>
        <WhatIfButton paymentId={paymentId} />
      </header>
      <section aria-label="Moves">
        <h3>Next states</h3>
        <PresentOnly>
          <States {...description} />
        </PresentOnly>
        <KnownFrom {...moves} readings={readings} />
      </section>
      <ShowFields {...description} readings={readings} />
    </article>
  )
}

function ShowFields({ fields, readings }: ObjectDescription & ReadingList) {
  return (
    <section aria-label="Show">
      <h3>Fields of its Show</h3>
      <Table class="changes" heads={['Field', 'Value', 'Known from']}>
        {fields.map(({ path, value, about, mark }) => (
          <tr key={path}>
            <th scope="row" class="mono" title={about}>
              {exact(path)}
            </th>
            <td class="mono">{exact(value)}</td>
            <td>
              <KnownFrom {...mark} readings={readings} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

function KnownFrom({ source, reading: id, readings }: SpecMark & ReadingList) {
  if (id === null) return <span class="good">{source === null ? 'unknown' : `stated ${source}`}</span>
  const reading = readings.find((each) => each.id === id)
  return (
    <details>
      <summary>
        <span class="due">read</span> {id}
      </summary>
      <p>{reading?.about}</p>
      <ul>
        {Object.entries(reading?.options ?? {}).map(([option, meaning]) => (
          <li key={option}>
            <b>{option}</b>
            {option === reading?.value && ' (chosen)'}: {meaning}
          </li>
        ))}
      </ul>
    </details>
  )
}

function States({ object_type: type, id, state, states, next }: ObjectDescription) {
  const { perform } = useApp()
  if (states.length === 0) return null
  return (
    <div class="states mono" role="group" aria-label="Move to">
      {states.map(({ state: to }) =>
        next.includes(to) ? (
          <ActButton
            key={to}
            act={() => perform('moveObject', { path: { type, id }, body: { to } })}
            done={({ notified }) =>
              `Moved to ${to}: ${notified.map(({ url }) => `notifies ${url}`).join(', ') || 'no notification'}`
            }
          >
            {to}
          </ActButton>
        ) : (
          <span
            key={to}
            class={to === state ? 'lit' : 'dim'}
            aria-current={to === state ? 'true' : undefined}
          >
            {to}
          </span>
        ),
      )}
      {next.length === 0 && <span class="dim">No transition is possible</span>}
    </div>
  )
}
