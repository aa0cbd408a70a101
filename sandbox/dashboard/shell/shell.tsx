import { useRef, useState } from 'preact/hooks'
import type { TimelineData } from '../data/timeline-data.ts'
import { resendDelivery } from '../delivery/actions.tsx'
import { Palette } from '../palette/palette.tsx'
import { Form, TextInput } from '../parts/fields.tsx'
import { useApp, useKeys } from '../parts/use-app.ts'
import { openWhatIf } from '../parts/what-if-button.tsx'
import { SCREENS } from '../screens.ts'
import { HOME } from '../state/route.ts'
import { RewindBar } from './clock-controls.tsx'
import { Hook, TopBar } from './top-bar.tsx'
import { Dialog } from '../parts/pane.tsx'
import { keyName } from '../parts/names.ts'

export function Shell() {
  const stream = useApp().stream.value
  if (stream === 'no-token' || stream === 'refused') return <TokenForm isRefused={stream === 'refused'} />
  return stream === 'no-world' ? <NoWorld /> : <Page />
}

function Page() {
  const { overlay, route, rewind } = useApp()
  const main = useRef<HTMLElement>(null)
  const at = rewind.at.value
  useShellKeys()
  const Screen = SCREENS[route.value.screen]?.component ?? NoScreen
  const over = overlay.value
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // Without `preventDefault()`, the fragment of the skip link would become the route.
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
        <Screen {...route.value} />
      </main>
      <NoticeList />
      {over?.kind === 'help' && <Help />}
      {over?.kind === 'palette' && <Palette query={over.query ?? ''} />}
    </>
  )
}

function useShellKeys(): void {
  const app = useApp()
  const { overlay, show, selection, run, rewind, notices, timeline, go } = app
  const { jobId, paymentId } = selection.value
  const toggleHelp = () => show(overlay.value?.kind === 'help' ? undefined : { kind: 'help' })
  const resend = () => {
    if (jobId === undefined) return notices.say('done', 'Select a delivery first, with j or k')
    void run(
      () => resendDelivery(app, jobId),
      (text) => text,
    )
  }
  const ask = () => void openWhatIf(app, paymentId ?? newestPayment(timeline.data.peek()))
  const toNow = { key: 'Escape', about: 'back to now', run: () => rewind.to(undefined) }
  useKeys([
    { key: 'Ctrl-k', about: 'all commands', run: () => show({ kind: 'palette' }) },
    ...(rewind.isPast.value ? [toNow] : []),
    { key: '?', about: 'show or hide this list', run: toggleHelp },
    { key: 'f', about: 'add a fault', run: () => go({ screen: 'workshop', path: ['faults'] }) },
    { key: 'r', about: 'resend the chosen delivery', run: resend },
    { key: 'w', about: 'play the payment again in another order', run: ask },
  ])
}

function newestPayment({ groups }: TimelineData): string | undefined {
  for (let index = 0; index < groups.length(); index++) {
    const id = groups.at(index)?.paymentId
    if (typeof id === 'string') return id
  }
  return undefined
}

function NoScreen() {
  const { link } = useApp()
  return (
    <section class="empty">
      <h1>This page does not exist</h1>
      <p>
        The dashboard has no page with this address. <a href={link(HOME)}>Go to the activity</a>
      </p>
    </section>
  )
}

function Banners() {
  const { stream, startLine, worldUse } = useApp()
  const use = worldUse.value
  return (
    <>
      {stream.value === 'cut' && (
        <p class="banner offline" role="alert">
          <b>The sandbox does not answer.</b> This page shows the last known state and reconnects
          automatically. Start the sandbox with <code>{startLine.value}</code>
        </p>
      )}
      {use && (
        <p class="banner" role="status">
          <b>{use.about} is running in this world.</b> The world is restored at the end, so changes that you
          make now are lost.
        </p>
      )}
    </>
  )
}

function Help() {
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

function NoticeList() {
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

function TokenForm({ isRefused }: { readonly isRefused: boolean }) {
  const { useToken } = useApp()
  const [token, setToken] = useState('')
  return (
    <main class="token-form">
      <h1 class="wordmark">
        <Hook />
        <span>hookbench</span>
      </h1>
      <Form onSend={() => useToken(token.trim())}>
        <label for="token">Token of the sandbox</label>
        <TextInput
          id="token"
          required
          type="password"
          value={token}
          aria-describedby="token-help"
          onText={setToken}
        />
        <button type="submit">Open</button>
        {isRefused && (
          <p role="alert" class="bad">
            The sandbox rejected this token. The token may be an old token, or belong to another world.
          </p>
        )}
        <p id="token-help" class="dim">
          <code>npx hookbench up</code> prints the token and an address that contains the token. The token is
          also in the file <code>token</code> of the data folder (<code>.hookbench</code>).
        </p>
      </Form>
    </main>
  )
}

function NoWorld() {
  return (
    <main>
      <section class="empty">
        <h1>The sandbox has no world "{useApp().ports.world}"</h1>
        <p>
          The world was removed, or its lifetime ended. <a href="/">Go to the default world</a>
        </p>
      </section>
    </main>
  )
}
