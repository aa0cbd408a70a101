import { Absent, nullIfNotFound } from '../parts/presence.tsx'
import { instantText } from '../parts/names.ts'
import { useApp, useListing } from '../parts/use-app.ts'
import { ExactText, JsonView, RawBytes } from './exact-text.tsx'
import { CraftedExchanges, HeaderTable } from './exchange-part.tsx'

/** A delivery by hand with its responses. */
export function Crafted({ id }: { readonly id: string }) {
  const { perform } = useApp()
  const delivery = useListing(() => nullIfNotFound(perform('getDelivery', { path: { id } })), ['world'], id)
  if (delivery === undefined) return <p class="loading">Loading the delivery</p>
  if (delivery === null) return <Absent what="delivery" />
  const { url, at, request } = delivery
  return (
    <article class="details">
      <header>
        <h2>Sent by hand</h2>
        <p class="mono">
          <ExactText text={url} />
        </p>
        <p class="dim">{instantText(at)}</p>
      </header>
      <section>
        <h3>Body</h3>
        <JsonView text={request.body} label="Body that was sent" />
      </section>
      <CraftedExchanges {...delivery} />
      <HeaderTable title="Request headers" headers={request.headers} />
      <RawBytes text={request.body} label="Raw bytes" />
    </article>
  )
}
