import { useState } from 'preact/hooks'
import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import { toPrintable } from '../../engine/core/short-text.ts'
import { CheckBox, SearchField } from '../parts/fields.tsx'
import { formatMilliseconds, formatResult, instantText, operationName, timeText } from '../parts/names.ts'
import type { Route } from '../state/route.ts'
import { Facts, Table, type Fact } from '../parts/table.tsx'
import { useApp, useListing } from '../parts/use-app.ts'

const SHOWN = 200
const COLUMNS = ['Status', 'Call', 'Path', 'Caller', 'Latency', 'Time']

export function RequestsScreen({ path: [openId] }: Route) {
  const { perform } = useApp()
  const [text, setText] = useState('')
  const [failedOnly, setFailedOnly] = useState(false)
  const page = useListing(() => perform('listRequests', { query: { limit: SHOWN } }), ['request'])
  const rows = (page?.requests ?? []).filter(
    (each) => hasText(each, text) && !(failedOnly && isAnswered(each)),
  )
  return (
    <section class="page requests">
      <h1>Requests</h1>
      <div class="toolbar">
        <SearchField
          label="Search requests"
          placeholder="Search operations, paths, statuses, callers"
          value={text}
          onText={setText}
        />
        <CheckBox label="Failed only" checked={failedOnly} onCheck={setFailedOnly} />
        {page && page.older > 0 && <span class="dim">The newest {SHOWN}</span>}
      </div>
      {page === undefined && <p class="loading">Loading requests</p>}
      {page && rows.length === 0 && (
        <div class="empty">
          <h2>{page.requests.length > 0 ? 'No request matches' : 'No requests yet'}</h2>
          <p>
            Calls of your platform and of your receiver appear here. A restart of the sandbox removes them.
          </p>
        </div>
      )}
      {rows.length > 0 && (
        <Table class="list" heads={COLUMNS}>
          {rows.toReversed().map((each) => (
            <Row key={each.id} request={each} isOpen={String(each.id) === openId} />
          ))}
        </Table>
      )}
    </section>
  )
}

const isAnswered = ({ status }: RequestRecord) => status !== null && status < 400

function hasText({ method, path, operation, status, by, user_agent }: RequestRecord, text: string): boolean {
  const texts = [`${method} ${path}`, operation, operationName(operation ?? ''), status, by, user_agent]
  return texts.join('\n').toLowerCase().includes(text.trim().toLowerCase())
}

interface RowProps {
  readonly request: RequestRecord
  readonly isOpen: boolean
}

function Row({ request, isOpen }: RowProps) {
  const { link, go } = useApp()
  const { id, status, operation, method, path, by, user_agent, took_ms, at, faults } = request
  const route = { screen: 'requests', path: isOpen ? [] : [String(id)] }
  const kinds = faults.map(({ kind }) => kind)
  return (
    <>
      <tr
        class={isOpen ? 'open' : ''}
        onClick={(event) => {
          event.preventDefault()
          go(route)
        }}
      >
        <td>
          <span class={`badge ${isAnswered(request) ? 'good' : 'bad'}`}>{formatResult(status, kinds)}</span>
        </td>
        <th scope="row">
          <a href={link(route)} aria-expanded={isOpen}>
            {operation === null ? 'Unknown operation' : operationName(operation)}
          </a>
        </th>
        <td class="mono">
          {method} {toPrintable(path)}
        </td>
        <td>{toPrintable(by ?? user_agent ?? '')}</td>
        <td>{took_ms !== null && formatMilliseconds(took_ms)}</td>
        <td class="mono dim">{timeText(at)}</td>
      </tr>
      {isOpen && (
        <tr class="facts-of-row">
          <td colSpan={COLUMNS.length}>
            <Details request={request} kinds={kinds} />
          </td>
        </tr>
      )}
    </>
  )
}

/** Shows the details of a call. Headers and bodies are not shown, because the sandbox does not record them. */
function Details({ request, kinds }: Pick<RowProps, 'request'> & { readonly kinds: readonly string[] }) {
  const { link } = useApp()
  const { method, path, object_type: type, object_id, kept_id, by, user_agent, status } = request
  const [place = '', query = ''] = path.split('?')
  const id = kept_id ?? object_id
  return (
    <Facts
      facts={[
        ['Method', method],
        ['Path', place],
        ...Array.from(new URLSearchParams(query), ([name, value]): Fact => [`Query ${name}`, value]),
        [
          'Object',
          type !== null && id !== null && (
            <a href={link({ screen: 'world', path: [type, id] })}>
              {type} {toPrintable(id)}
            </a>
          ),
        ],
        ['Caller', by],
        ['User agent', user_agent],
        ['Answer', status ?? 'A fault cut the connection'],
        ['Faults', kinds.length > 0 && kinds.join(', ')],
        ['Time', `${instantText(request.at)} (real time: ${instantText(request.real_at)})`],
      ]}
    />
  )
}
