import { useRef } from 'preact/hooks'
import type { TimelineData } from '../data/timeline-data.ts'
import { Palette } from '../palette/palette.tsx'
import { useApp, useKeys } from '../parts/use-app.ts'
import { openWhatIf } from '../parts/what-if-button.tsx'
import { findScreen } from '../screens.ts'
import { HOME } from '../state/route.ts'
import { RewindBar } from './rewind-bar.tsx'
import { FaultDialog } from '../workshop/fault-dialog.tsx'
import { Banners } from './banners.tsx'
import { Help } from './help.tsx'
import { NoticeList } from './notice-list.tsx'
import { TokenForm } from './token-form.tsx'
import { TopBar } from './top-bar.tsx'
import { NoWorld } from './world-switch.tsx'

/** The whole page: the bar, the screen of the address, and the overlay. */
export function Shell() {
  const { kind } = useApp().stream.value
  return kind === 'refused' ? <TokenForm /> : kind === 'no-world' ? <NoWorld /> : <Page />
}

function Page() {
  const { overlay, route, rewind } = useApp()
  const main = useRef<HTMLElement>(null)
  const at = rewind.at.value
  useShellKeys()
  const { screen, path } = route.value
  const Screen = findScreen(screen)?.component ?? NoScreen
  const over = overlay.value
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // As an address, the fragment would name a screen.
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the content
      </a>
      <TopBar />
      <Banners />
      {at !== undefined && <RewindBar at={at} />}
      <main ref={main} id="main" tabIndex={-1}>
        <Screen path={path} />
      </main>
      <NoticeList />
      {over?.kind === 'help' && <Help />}
      {over?.kind === 'fault' && <FaultDialog />}
      {over?.kind === 'palette' && <Palette {...(over.query !== undefined && { query: over.query })} />}
    </>
  )
}

/** The keys that work on every screen. */
function useShellKeys(): void {
  const app = useApp()
  const { overlay, show, selection, run, perform, rewind, notices, timeline } = app
  const { jobId, paymentId } = selection.value
  const palette = { run: () => show({ kind: 'palette' }), about: 'all commands' }
  useKeys([
    { key: 'Ctrl-k', ...palette },
    ...(rewind.at.value === undefined
      ? []
      : [{ key: 'Escape', about: 'back to now', run: () => rewind.to(undefined) }]),
    {
      key: '?',
      about: 'show or hide this list',
      run: () => show(overlay.value?.kind === 'help' ? undefined : { kind: 'help' }),
    },
    { key: 'f', about: 'let something go wrong', run: () => show({ kind: 'fault' }) },
    {
      key: 'r',
      about: 'resend the chosen delivery',
      run() {
        if (jobId === undefined) notices.say('done', 'Choose a delivery first: j and k do')
        else
          void run(
            () => perform('resendJob', { path: { id: jobId } }),
            () => 'Sent once more',
          )
      },
    },
    {
      key: 'w',
      about: 'what if the payment came in another order',
      run: () => void openWhatIf(app, paymentId ?? newestPayment(timeline.data.peek())),
    },
  ])
}

function newestPayment({ groups }: TimelineData): string | undefined {
  for (let index = 0; index < groups.length; index++) {
    const id = groups.at(index)?.paymentId
    if (typeof id === 'string') return id
  }
  return undefined
}

function NoScreen() {
  const { link } = useApp()
  return (
    <section class="empty">
      <h1>There is no such page</h1>
      <p>
        The address names nothing that this page shows. <a href={link(HOME)}>Go to the activity</a>
      </p>
    </section>
  )
}
