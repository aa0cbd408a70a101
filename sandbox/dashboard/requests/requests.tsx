import { useState } from 'preact/hooks'
import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import { toPrintable } from '../../engine/core/short-text.ts'
import { formatMilliseconds } from '../delivery/phases.ts'
import { operationName, timeText } from '../parts/names.ts'
import { useApp, useListing } from '../parts/use-app.ts'

const SHOWN = 200

/** The calls of your platform and receiver to the service, newest first. */
export function Requests() {
  const { perform } = useApp()
  const [text, setText] = useState('')
  const [failedOnly, setFailedOnly] = useState(false)
  const page = useListing(() => perform('listRequests', { query: { limit: SHOWN } }), ['request', 'world'])
  const rows = (page?.requests ?? []).filter(
    (each) => hasText(each, text) && (!failedOnly || each.status === null || each.status >= 400),
  )
  return (
    <section class="page requests">
      <h1>Requests</h1>
      <div class="toolbar">
        <input
          type="search"
          aria-label="Search requests"
          placeholder="Search operations, paths, statuses, callers"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <label>
          <input
            type="checkbox"
            checked={failedOnly}
            onChange={({ currentTarget }) => setFailedOnly(currentTarget.checked)}
          />{' '}
          Failed only
        </label>
        {page && page.older > 0 && <span class="dim">The newest {SHOWN}</span>}
      </div>
      {page === undefined && <p class="loading">Loading requests</p>}
      {page && rows.length === 0 && <NoRequests isFiltered={page.requests.length > 0} />}
      {rows.length > 0 && <List rows={rows} />}
    </section>
  )
}

function List({ rows }: { readonly rows: readonly RequestRecord[] }) {
  return (
    <table class="list">
      <thead>
        <tr>
          {['Status', 'Call', 'Path', 'Caller', 'Latency', 'Time'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.toReversed().map((each) => (
          <Row key={each.id} {...each} />
        ))}
      </tbody>
    </table>
  )
}

function hasText({ method, path, operation, status, by, user_agent }: RequestRecord, text: string): boolean {
  const texts = [`${method} ${path}`, operation, operationName(operation ?? ''), status, by, user_agent]
  return texts.join('\n').toLowerCase().includes(text.trim().toLowerCase())
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <div class="empty">
      <h2>{isFiltered ? 'No request matches' : 'No requests yet'}</h2>
      <p>Calls of your platform and of your receiver to the service API appear here.</p>
    </div>
  )
}

function Row({ status, operation, method, path, by, user_agent, took_ms, at, faults }: RequestRecord) {
  const isGood = status !== null && status < 400
  return (
    <tr>
      <td>
        <span class={`badge ${isGood ? 'good' : 'bad'}`}>
          {status ?? 'cut'}
          {faults.length > 0 && ` by fault ${faults.map(({ kind }) => kind).join(', ')}`}
        </span>
      </td>
      <th scope="row">{operation === null ? 'Unknown operation' : operationName(operation)}</th>
      <td class="mono">
        {method} {toPrintable(path)}
      </td>
      <td>{toPrintable(by ?? user_agent ?? '')}</td>
      <td>{took_ms !== null && formatMilliseconds(took_ms)}</td>
      <td class="mono dim">{timeText(at)}</td>
    </tr>
  )
}
