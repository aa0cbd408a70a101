import { useApp } from '../parts/use-app.ts'

/** What to do where there is nothing to see yet. */
export function EmptyTimeline({ filtered }: { readonly filtered: boolean }) {
  const { timeline, rewind } = useApp()
  if (timeline.unlisted.value === undefined) return null
  if (filtered) {
    return (
      <div class="empty">
        <p>Nothing of what was sent has these words. An id may be shortened to any part of it.</p>
      </div>
    )
  }
  if (rewind.at.value !== undefined) return <p class="empty">Nothing had been sent by then</p>
  return (
    <div class="empty">
      <h2>Nothing was sent yet</h2>
      <p>The sandbox notifies a receiver of what it is registered for. In a terminal:</p>
      <ol>
        <li>
          <code>npx hookbench cert localhost</code> makes a certificate for your receiver.
        </li>
        <li>
          <code>npx hookbench register https://localhost:PORT/PATH --type items</code> says where it listens.
        </li>
        <li>
          <code>npx hookbench play card-payin</code> moves money, and notifies of it.
        </li>
      </ol>
    </div>
  )
}
