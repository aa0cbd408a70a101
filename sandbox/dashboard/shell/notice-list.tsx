import { useApp } from '../parts/use-app.ts'

/** The results of actions. Screen readers read them. */
export function NoticeList() {
  const { notices } = useApp()
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.list.value.map(({ id, kind, text, remedy }) => (
        <div key={id} class={`notice ${kind}`}>
          <p>{text}</p>
          {remedy !== '' && <p class="dim">{remedy}</p>}
          <button type="button" aria-label="Dismiss" onClick={() => notices.dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
